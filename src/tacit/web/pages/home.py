"""Home: recommendations with reasons, search, rating."""

from __future__ import annotations

from urllib.parse import urlencode

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from tacit.core.errors import BadInput
from tacit.node.catalogue import item_keys
from tacit.node.import_ratings import full_title, parse_number, parse_year
from tacit.web.page_base import WELCOMED, Site, action, page, text

SHOWN = 10
FOUND = 20


def routes(site: Site) -> list[Route]:
    """Everything on Home."""
    return [
        page(site, "/", _home),
        page(site, "/status", _status),
        action(site, "/rate", _rate, back="/"),
        action(site, "/add", _add, back="/"),
    ]


def _home(site: Site, request: Request) -> Response:
    service = site.service
    if not service.store.setting(WELCOMED) and not service.rating_store.count() and not service.peers():
        return RedirectResponse("/welcome", status_code=303)
    person = site.person(request.query_params.get("person", ""))
    query = request.query_params.get("q", "").strip()[:200]
    rated = {rating.key: rating for rating in service.ratings(person)}
    return site.show(
        "home.html",
        place="/",
        items=[] if query else service.recommend(SHOWN, person),
        query=query,
        found=service.search(query, FOUND) if query else [],
        rated=rated,
        person=person,
        people=service.people(),
    )


def _status(site: Site, request: Request) -> Response:
    text = site.templates.get_template("status.html").render(now=site.service.status())
    return HTMLResponse(text)


def _rate(site: Site, form: FormData) -> str:
    key, value = item_keys.check_key(text(form, "key")), text(form, "value")
    person = site.person(text(form, "person"))
    title = text(form, "title") or item_keys.display_title(key)
    if value == "no":
        site.service.say(key, "disliked", title, person)
    elif value == "none":
        site.service.unrate(key, person)
    else:
        site.service.rate(key, _stars(value), title, person)
    site.say(f"Saved: {item_keys.clean_title(title)}.")
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
    site.service.rate(key, _stars(text(form, "value")), name, site.person(text(form, "person")))
    site.say(f"Saved: {name}.")
    return _back(form)


def _stars(value: str) -> float:
    stars = parse_number(value)
    if stars is None or not 1 <= stars <= 5:
        raise BadInput("rating", got=value or "nothing", allowed="1 to 5")
    return stars


def _back(form: FormData) -> str:
    """Home again, with the same search; nowhere else."""
    kept = {name: text(form, name) for name in ("q", "person") if text(form, name)}
    return f"/?{urlencode(kept)}" if kept else "/"
