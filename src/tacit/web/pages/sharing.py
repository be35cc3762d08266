"""Sharing, of a node that exchanges a model: how much is disclosed, the next message row by row, and pause."""

from __future__ import annotations

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from tacit.core.errors import BadInput
from tacit.node.import_ratings import parse_number
from tacit.web.page_base import Site, action, page, text


def routes(site: Site) -> list[Route]:
    """Everything on Sharing."""
    return [
        page(site, "/sharing", _sharing),
        action(site, "/sharing", _save, back="/sharing"),
        action(site, "/pause", _pause, back="/sharing"),
    ]


def _sharing(site: Site, request: Request) -> Response:
    service = site.service
    if not service.store.setting("model"):
        return RedirectResponse("/circle", status_code=303)
    preview = service.preview() if service.rating_store.count() else None
    people = [peer.name or peer.id[:10] for peer in service.peers()]
    return site.show("sharing.html", place="/people", preview=preview, people=people)


def _save(site: Site, form: FormData) -> str:
    site.service.set_sharing(disclosure=_percent(text(form, "percent")))
    site.say("Saved for what is learned from now on. What it learned before can still be in what is sent.")
    return "/sharing"


def _pause(site: Site, form: FormData) -> str:
    paused = text(form, "paused") == "yes"
    site.service.set_sharing(paused=paused)
    site.say("Paused." if paused else "Sharing is on.")
    return "/sharing" if site.service.store.setting("model") else "/circle"


def _percent(given: str) -> float:
    """A share from a field that takes 0 to 100."""
    value = parse_number(given)
    if value is None or not 0 <= value <= 100:
        raise BadInput("what I share", got=given or "nothing", allowed="0 to 100 percent")
    return value / 100
