"""A few well-known titles to rate, for somebody who has no file."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tacit.node.store.records import Rating
from tacit.web.covers import Cover
from tacit.web.page_base import Site, page

SHOWN = 12
MOST = 40
"""Lists of well-known titles."""


@dataclass(frozen=True, slots=True)
class Shelf:
    """Titles to rate, and how to see others."""

    titles: list[tuple[Cover, Rating | None]]
    skip: int
    said: int
    """Ratings that the person has."""


def routes(site: Site) -> list[Route]:
    """The page of its own; Welcome shows the same shelf."""
    return [page(site, "/few", _few)]


def shelf(site: Site, request: Request, person: str) -> Shelf:
    """The well-known titles that an address asks for."""
    given = request.query_params.get("skip", "")
    skip = int(given) % MOST if given.isascii() and given.isdigit() and len(given) < 4 else 0
    rated = {rating.key: rating for rating in site.service.ratings(person)}
    items = site.service.suggestions.well_known(SHOWN, skip)
    titles = [(site.cover(item.key, item.title), rated.get(item.key)) for item in items]
    return Shelf(titles, skip, len(rated))


def _few(site: Site, request: Request) -> Response:
    person = site.person(request.query_params.get("person", ""))
    return site.show(
        "few.html", place="/data", at=site.at(request, person), shelf=shelf(site, request, person)
    )
