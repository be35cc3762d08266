"""Format sizes, times, counts, stars and kinds as text for the page."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime

from tacit.node.catalogue.item_keys import kind_of
from tacit.node.store.records import Rating

_KINDS = {"csv": "", "artist": "music", "album": "music"}
_MANY = {"csv": ("item", "items"), "series": ("series", "series")}
_SENT = {
    "hello": "hello: name, addresses",
    "welcome": "hello: name, addresses",
    "list": "lists of likes",
    "sync": "which lists are here",
    "update": "numbers for items",
    "exchange": "names of items, people",
    "answer": "names of items, people",
    "ask": "noise to hide numbers: agreed on",
    "agreed": "noise to hide numbers: agreed on",
    "catalogue": "which items sums are about",
}
_DID = {"rating": "with stars", "want": "wanted", "dropped": "given up", "disliked": "not for me"}

_TOLD = {
    "seen": "seen, and not suggested again",
    "want": "on your list of things to see",
    "disliked": "not for you, and not suggested again",
    "liked": "liked",
    "dropped": "given up, and not suggested again",
}


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


def clock(seconds: float) -> str:
    """A time of day, in this computer's time zone."""
    return datetime.fromtimestamp(seconds).strftime("%H:%M")


def day(when: date, today: date) -> str:
    """A day, with its year only if it is another one.

    >>> day(date(2026, 11, 16), date(2026, 11, 18)), day(date(2026, 11, 18), date(2026, 11, 18))
    ('Monday 16 November', 'Today, Wednesday 18 November')
    >>> day(date(2025, 3, 1), date(2026, 11, 18))
    'Saturday 1 March 2025'
    """
    text = f"{when:%A} {when.day} {when:%B}" + ("" if when.year == today.year else f" {when.year}")
    return f"Today, {text}" if when == today else text


def stars(value: float) -> str:
    """A rating as stars; halves are kept.

    >>> stars(4.5), stars(1), stars(3.3)
    ('\u2605\u2605\u2605\u2605\u00bd', '\u2605', '\u2605\u2605\u2605\u00bd')
    """
    halves = round(2 * value)
    return "\u2605" * (halves // 2) + "\u00bd" * (halves % 2)


def listed(names: Sequence[str]) -> str:
    """Names in a sentence.

    >>> listed(["Ana"]), listed(["Ana", "Bo"]), listed(["Ana", "Bo", "Cem"])
    ('Ana', 'Ana and Bo', 'Ana, Bo and Cem')
    """
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else "".join(names)


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

    >>> share(0)
    'The shared model learns from none of your ratings from now on.'
    >>> share(1)
    'The shared model learns from all of your ratings.'
    >>> share(0.4)
    'The shared model learns from about 4 in 10 of your ratings from now on.'
    """
    if disclosure <= 0:
        return "The shared model learns from none of your ratings from now on."
    if disclosure >= 1:
        return "The shared model learns from all of your ratings."
    tenths = disclosure * 10
    return (
        f"The shared model learns from about {tenths:.0f} in 10 of your ratings from now on."
        if tenths >= 0.95
        else "The shared model learns from very few of your ratings from now on."
    )


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


def told(rating: Rating) -> str:
    """What a person said about a title, as a sentence would."""
    return stars(rating.value) if rating.value is not None else _TOLD[rating.signal]


def sent(kind: str) -> str:
    """What a message was, in the ledger."""
    return _SENT.get(kind, kind)
