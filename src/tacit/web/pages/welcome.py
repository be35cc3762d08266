"""Welcome: the first visit. A start, a file, or a few titles; in any order, and each can be skipped."""

from __future__ import annotations

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tacit.node.import_ratings import formats
from tacit.web.page_base import WELCOMED, Site, action, page, text
from tacit.web.pages.data import keep_waiting, read_upload
from tacit.web.pages.few import shelf


def routes(site: Site) -> list[Route]:
    """The first visit."""
    return [
        page(site, "/welcome", _welcome),
        page(site, "/welcome/check", _check),
        action(site, "/welcome/read", _read, back="/welcome"),
        action(site, "/welcome/keep", _keep, back="/welcome"),
        action(site, "/welcome/finish", _finish, back="/welcome"),
    ]


def _welcome(site: Site, request: Request) -> Response:
    person = site.person("")
    return site.show(
        "welcome.html",
        place="",
        at=site.at(request, person),
        formats=formats(),
        shelf=shelf(site, request, person),
    )


def _check(site: Site, request: Request) -> Response:
    facts = site.waiting_facts()
    return site.show("check.html", place="", first=True, formats=formats(), **facts)


def _read(site: Site, form: FormData) -> str:
    _pause(site)
    read_upload(site, form)
    return "/welcome/check"


def _keep(site: Site, form: FormData) -> str:
    _pause(site)
    if text(form, "keep") != "yes":
        site.waiting, site.start = None, None
        site.say("Nothing was kept.")
        return "/welcome"
    is_start = site.start is not None
    keep_waiting(site)
    if is_start:
        return "/welcome"  # now there are titles to say something about
    site.service.store.set(**{WELCOMED: True})
    return "/"


def _finish(site: Site, form: FormData) -> str:
    _pause(site)
    site.service.store.set(**{WELCOMED: True})
    return "/"


def _pause(site: Site) -> None:
    """A node that exchanges a model sends nothing during the first visit, nor after it until it is told to."""
    if site.service.store.setting("model"):
        site.service.set_sharing(paused=True)
