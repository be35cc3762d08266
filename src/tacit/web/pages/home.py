"""Tonight: the list with its reasons, filters, and search."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from tacit.node.import_ratings import parse_year
from tacit.node.store.records import Rating, Recommendation, Wish
from tacit.web.covers import Cover, bare, cover, hue_class
from tacit.web.formatting import listed
from tacit.web.mode_line import mode_line
from tacit.web.page_base import WELCOMED, Site, page
from tacit.web.reasons import Why, why

SHOWN, MOST = 12, 96
FOUND = 24
GENRES = 2
"""Genres that are named beside a title."""
KINDS = {
    "film": ("Films", {"film"}),
    "series": ("Series", {"series"}),
    "book": ("Books", {"book"}),
    "music": ("Music", {"artist", "album"}),
}


@dataclass(frozen=True, slots=True)
class Card:
    """A title in a list."""

    cover: Cover
    new: bool = False
    because: tuple[tuple[str, str], ...] = ()
    """(title, class name of its colour) of what the person liked and that adds most."""
    why: Why | None = None
    said: Rating | None = None
    """What the person said about it, if anything."""
    friends: str = ""
    """Members of the circle who like it."""
    circle_only: bool = False
    """Whether the start does not have it."""
    genres: str = ""


def routes(site: Site) -> list[Route]:
    """Everything on Tonight."""
    return [page(site, "/", _home), page(site, "/line", _line)]


def _home(site: Site, request: Request) -> Response:
    service, asked = site.service, request.query_params
    if not service.store.setting(WELCOMED) and not service.rating_store.count() and not service.peers():
        return RedirectResponse("/welcome", status_code=303)
    person = site.person(asked.get("person", ""))
    query = asked.get("q", "").strip()[:200]
    rated = {rating.key: rating for rating in service.ratings(person)}
    wish = _wish(request)
    shown = _count(asked.get("n", ""))
    more = 0
    if query:
        cards = [
            Card(site.cover(item.key, item.title), said=rated.get(item.key), genres=_genres(site, item.key))
            for item in service.search(query, FOUND)
        ]
    else:
        found = service.recommend(shown, person, wish)
        more = shown + SHOWN if len(found) == shown < MOST else 0
        keys = {item.key for item in found}
        found += [item for item in service.only_in_circle(person, wish) if item.key not in keys]
        cards = [_card(site, item, rated.get(item.key)) for item in found]
    return site.show(
        "home.html",
        place="/",
        at=site.at(request, person),
        cards=cards,
        more=more,
        query=query,
        wish=wish,
        only=asked.get("kind", "") if asked.get("kind") in KINDS else "",
        kinds_shown=[(name, label) for name, (label, _) in KINDS.items()],
        missing=_missing(site),
        wanted=sum(rating.signal == "want" for rating in rated.values()),
        person=person,
        people=service.people(),
    )


def _line(site: Site, request: Request) -> Response:
    """The line of truth alone: a script asks for it now and then."""
    line = mode_line(site.service, site.service.status())
    return HTMLResponse(site.templates.get_template("line.html").render(line=line))


def _card(site: Site, item: Recommendation, said: Rating | None) -> Card:
    hue = site.service.suggestions.hue
    keys = {reason.name: reason.key for reason in item.reasons if reason.of == "own"}
    because = tuple((bare(title), hue_class(hue(keys.get(title, "")))) for title in item.because)
    face = cover(item.key, item.title, item.hue, item.year)
    friends = f"{item.circle[:1].upper()}{item.circle[1:]}." if item.circle else ""
    only = item.hue is None and bool(item.circle)
    genres = _genres(site, item.key)
    return Card(face, item.new, because, why(item.reasons, hue), said, friends, only, genres)


def _genres(site: Site, key: str) -> str:
    """The first genres of a title, as they stand in a sentence."""
    return listed(site.service.suggestions.genres(key)[:GENRES])


def _missing(site: Site) -> set[str]:
    """Filters that can show nothing: neither the start nor the circle has such titles."""
    if site.service.suggestions.facts() is None:
        return set()
    there = site.service.kinds()
    return {name for name, (_, kinds) in KINDS.items() if not kinds & there}


def _wish(request: Request) -> Wish:
    """What the address asks for; what makes no sense there is left out."""
    asked = request.query_params
    kinds = KINDS.get(asked.get("kind", ""), ("", set()))[1]
    first, last = parse_year(asked.get("first", "")), parse_year(asked.get("last", ""))
    years = None
    if first is not None or last is not None:
        years = (first or 0, last or 9999)
        years = (min(years), max(years))
    return Wish(frozenset(kinds), years, seen=asked.get("seen") == "yes", new=asked.get("new") == "yes")


def _count(given: str) -> int:
    return (
        min(int(given), MOST)
        if given.isascii() and given.isdigit() and 0 < len(given) < 4 and int(given)
        else SHOWN
    )
