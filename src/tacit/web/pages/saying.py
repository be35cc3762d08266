"""Saying something about a title: stars, seen, want, not for me, remove, undo; and titles that are not listed.

A plain form goes back to the page it came from. A script gets only the part of the page in which a button was pressed.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.datastructures import FormData
from starlette.responses import Response
from starlette.routing import Route

from tacit.core.errors import BadInput
from tacit.node.catalogue import item_keys
from tacit.node.import_ratings import full_title, parse_number, parse_year
from tacit.node.store.records import HIGH, LOW, Signal
from tacit.web.formatting import told
from tacit.web.page_base import At, Site, Undo, action, text

PARTS = ("card", "row", "few")
SIGNALS: dict[str, Signal] = {"no": "disliked", "seen": "seen", "want": "want", "liked": "liked"}
"""What a button's value means."""
BACK = ("/", "/data", "/few", "/welcome", "/circle/list")


def routes(site: Site) -> list[Route]:
    """What the buttons beside a title do."""
    return [
        action(site, "/rate", _rate, back="/"),
        action(site, "/undo", _undo, back="/"),
        action(site, "/add", _add, back="/"),
    ]


def _rate(site: Site, form: FormData) -> str | Response:
    key, value = item_keys.check_key(text(form, "key")), text(form, "value")
    person = site.person(text(form, "person"))
    title = item_keys.clean_title(text(form, "title")) or item_keys.display_title(key)
    service = site.service
    if value == "seen" and text(form, "stars"):
        value = text(form, "stars")
    if value in SIGNALS:
        number = service.say(key, SIGNALS[value], title, person)
    elif value == "none":
        number = service.unrate(key, person)
    else:
        number = service.rate(key, _stars(value), title, person)
    return _answer(site, form, Undo(number, key, title, person))


def _undo(site: Site, form: FormData) -> str | Response:
    key, number = item_keys.check_key(text(form, "key")), parse_number(text(form, "number"))
    if number is None or not 0 < number < 2**62:
        raise BadInput("undo", got=text(form, "number") or "nothing", allowed="the number of an action")
    person = site.person(text(form, "person"))
    title = item_keys.clean_title(text(form, "title")) or item_keys.display_title(key)
    site.service.undo(person, int(number))
    return _answer(site, form, Undo(int(number), key, title, person), undone=True)


def _answer(site: Site, form: FormData, about: Undo, *, undone: bool = False) -> str | Response:
    """The part of the page, or the page with what happened."""
    said = next((r for r in site.service.ratings(about.person) if r.key == about.key), None)
    part = text(form, "part")
    if part in PARTS:
        at = At(site.keys.form, about.person, text(form, "back"))
        return site.part(part, at, site.cover(about.key, about.title), said, None if undone else about)
    if undone:
        site.say(f"Undone: {about.title}.")
    else:
        site.say(f"{about.title}: {told(said) if said else 'removed'}.", undo=about)
    return _back(form)


def _add(site: Site, form: FormData) -> str:
    """Rate something that is not known here yet."""
    kind, title, more = text(form, "kind"), text(form, "title"), text(form, "more")
    makers = {"film": item_keys.film_key, "series": item_keys.series_key}
    if kind == "book":
        key = item_keys.book_key(title, more)
    elif kind in makers:
        if more and parse_year(more) is None:
            raise BadInput("year", got=more, allowed="four digits, or nothing")
        key = makers[kind](title, parse_year(more))
    elif kind == "artist":
        key = item_keys.artist_key(title)
    else:
        raise BadInput("kind", got=kind, allowed="film, series, book or artist")
    name = full_title(kind, title, item_keys.year_of(key), more)
    person = site.person(text(form, "person"))
    number = site.service.rate(key, _stars(text(form, "value")), name, person)
    site.say(f"Added: {name}.", undo=Undo(number, key, name, person))
    return _back(form)


def _stars(value: str) -> float:
    given = parse_number(value)
    if given is None or not LOW <= given <= HIGH:
        raise BadInput("rating", got=value or "nothing", allowed=f"{LOW:g} to {HIGH:g}")
    return given


def _back(form: FormData) -> str:
    """The page that the form was on; nowhere else."""
    given = text(form, "back")
    return given if urlsplit(given)._replace(query="", fragment="").geturl() in BACK else "/"
