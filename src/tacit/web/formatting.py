"""Format sizes, times, counts and states as text for the page."""

from __future__ import annotations

from datetime import datetime

from tacit.node.catalogue.item_keys import kind_of
from tacit.node.store.records import Status
from tacit.web.privacy_promises import promise

_KINDS = {"csv": "", "artist": "music", "album": "music"}
_MANY = {"csv": ("item", "items"), "series": ("series", "series")}
_SENT = {
    "hello": "hello: name, addresses",
    "welcome": "hello: name, addresses",
    "update": "numbers for items",
    "exchange": "names of items, people",
    "answer": "names of items, people",
    "ask": "noise to hide numbers: agreed on",
    "agreed": "noise to hide numbers: agreed on",
    "catalogue": "which items sums are about",
}
_DID = {"rating": "rated", "want": "wanted", "dropped": "given up", "disliked": "not liked"}


def size(count: int) -> str:
    """Bytes for people.

    >>> size(512), size(18_240), size(21_600_000)
    ('512 bytes', '18 KB', '21.6 MB')
    """
    if count < 1000:
        return f"{count} bytes"
    return f"{count / 1000:.0f} KB" if count < 1_000_000 else f"{count / 1e6:.1f} MB"


def moment(seconds: float | None) -> str:
    """A time of day and date, in this computer's time zone."""
    return "never" if seconds is None else datetime.fromtimestamp(seconds).strftime("%d %b %Y, %H:%M:%S")


def ago(seconds: float | None, now: float) -> str:
    """How long ago, roughly.

    >>> ago(None, 0), ago(100, 130), ago(0, 7200), ago(0, 200_000)
    ('not seen yet', 'just now', '2 hours ago', '2 days ago')
    """
    if seconds is None:
        return "not seen yet"
    passed = max(now - seconds, 0)
    for unit, length in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
        if passed >= length:
            return many(int(passed // length), unit) + " ago"
    return "just now"


def many(count: int, thing: str, things: str = "") -> str:
    """A count with its noun: `1 person`, `3 people`."""
    return f"{count:,} {thing if count == 1 else things or thing + 's'}"


def share(disclosure: float) -> str:
    """What a disclosure means.

    >>> share(0), share(1)
    ('None of your ratings takes part from now on.', 'All of your ratings take part.')
    >>> share(0.4)
    'About 4 in 10 of your ratings take part from now on.'
    """
    if disclosure <= 0:
        return "None of your ratings takes part from now on."
    if disclosure >= 1:
        return "All of your ratings take part."
    tenths = disclosure * 10
    return (
        f"About {tenths:.0f} in 10 of your ratings take part from now on."
        if tenths >= 0.95
        else "Very few of your ratings take part from now on."
    )


def state(status: Status) -> str:
    """One line about sharing, true as it stands."""
    if status.mode == "alone":
        return promise("alone")
    people = many(len([p for p in status.peers if p.allowed or p.open]), "person", "people")
    if status.sharing.paused:
        return promise("paused")
    if status.sharing.problem:
        return f"Sharing waits: {status.sharing.problem}"
    if not status.running:
        return "Not running: nothing is sent."
    if not status.peers:
        return "Ready to share, but there is nobody to share with yet."
    return f"Sharing with {people}. {share(status.sharing.disclosure)}"


def kind(key: str) -> str:
    """What sort of item it is, to show beside its title."""
    first = kind_of(key)
    return _KINDS.get(first, first)


def kinds(kind: str, count: int) -> str:
    """So many of a kind.

    >>> kinds("film", 1), kinds("film", 7), kinds("series", 2), kinds("csv", 3)
    ('1 film', '7 films', '2 series', '3 items')
    """
    return many(count, *_MANY.get(kind, (kind,)))


def did(signal: str) -> str:
    """What a person did with an item."""
    return _DID.get(signal, signal)


def sent(kind: str) -> str:
    """What a message was, in the ledger."""
    return _SENT.get(kind, kind)
