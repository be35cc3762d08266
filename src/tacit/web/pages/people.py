"""People: peers, invitations, and the latest connection problems."""

from __future__ import annotations

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response
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
    ticket, site.ticket = site.ticket, ""
    return site.show(
        "people.html", place="/people", ticket=ticket, problems=site.service.problem_log.latest(10)
    )


def _invite(site: Site, form: FormData) -> str:
    site.ticket = site.service.invite()
    return "/people"


def _join(site: Site, form: FormData) -> str:
    join(site, form)
    return "/people"


def join(site: Site, form: FormData) -> None:
    """Accept the invitation in a form."""
    peer = site.service.join(text(form, "ticket"))
    site.say(f"Joined {peer.name or peer.id[:10]}.")


def _remove(site: Site, form: FormData) -> str:
    site.service.remove_peer(text(form, "peer"))
    site.say("Removed. If you invited them, their invitation still lets them in again.")
    return "/people"


def _open(site: Site, form: FormData) -> str:
    anybody = text(form, "open") == "yes"
    site.service.set_sharing(open=anybody)
    site.say("Sharing is open to anybody now." if anybody else "Sharing is open to invited people only.")
    return "/people"
