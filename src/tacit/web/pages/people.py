"""People, of a node that exchanges a model: peers, invitations, and who may talk to it."""

from __future__ import annotations

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from tacit.web.page_base import Site, action, page, text


def routes(site: Site) -> list[Route]:
    """Everything on People."""
    return [
        page(site, "/people", _people),
        action(site, "/people/invite", _invite, back="/people"),
        action(site, "/people/join", _join, back="/people"),
        action(site, "/people/remove", _remove, back="/people"),
        action(site, "/people/open", _open, back="/people"),
    ]


def _people(site: Site, request: Request) -> Response:
    if not site.service.store.setting("model"):
        return RedirectResponse("/circle", status_code=303)
    ticket, site.ticket = site.ticket, ""
    return site.show("people.html", place="/people", ticket=ticket)


def _invite(site: Site, form: FormData) -> str:
    site.ticket = site.service.invite()
    return "/people"


def _join(site: Site, form: FormData) -> str:
    peer = site.service.join(text(form, "ticket"))
    site.say(f"Joined {peer.name or peer.id[:10]}.")
    return "/people"


def _remove(site: Site, form: FormData) -> str:
    site.service.remove_peer(text(form, "peer"))
    site.say("Removed, and kept out until you invite them again.")
    return "/people"


def _open(site: Site, form: FormData) -> str:
    anybody = text(form, "open") == "yes"
    site.service.set_sharing(open=anybody)
    site.say("Sharing is open to anybody now." if anybody else "Sharing is open to invited people only.")
    return "/people"
