"""Welcome: the first run in four steps that can be skipped: add, check, choose what leaves, learn with others.

A node that is alone has the first two only. The others end paused, unless the person says otherwise in the last step.
"""

from __future__ import annotations

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from tacit.node.import_ratings import formats
from tacit.web.page_base import WELCOMED, Site, action, page, text
from tacit.web.pages.data import keep_waiting, read_upload
from tacit.web.pages.people import join
from tacit.web.pages.sharing import percent


def routes(site: Site) -> list[Route]:
    """The four steps."""
    return [
        page(site, "/welcome", _add),
        page(site, "/welcome/check", _check),
        page(site, "/welcome/choose", _choose),
        page(site, "/welcome/people", _people),
        action(site, "/welcome/read", _read, back="/welcome"),
        action(site, "/welcome/keep", _keep, back="/welcome"),
        action(site, "/welcome/choose", _chosen, back="/welcome/choose"),
        action(site, "/welcome/finish", _finish, back="/welcome/people"),
    ]


def _add(site: Site, request: Request) -> Response:
    return site.show("welcome_add.html", place="", formats=formats(), step=1)


def _check(site: Site, request: Request) -> Response:
    found = site.waiting_preview()
    return site.show("check.html", place="", found=found, keep="/welcome/keep", step=2, formats=formats())


def _choose(site: Site, request: Request) -> Response:
    if site.service.mode() == "alone":
        return RedirectResponse("/", status_code=303)  # nothing leaves: there is nothing to choose
    preview = site.service.preview() if site.service.rating_store.count() else None
    return site.show("welcome_choose.html", place="", preview=preview, step=3)


def _people(site: Site, request: Request) -> Response:
    if site.service.mode() == "alone":
        return RedirectResponse("/people", status_code=303)
    ticket, site.ticket = site.ticket, ""
    return site.show("welcome_people.html", place="", ticket=ticket, step=4)


def _read(site: Site, form: FormData) -> str:
    _pause(site)
    read_upload(site, form)
    return "/welcome/check"


def _keep(site: Site, form: FormData) -> str:
    _pause(site)
    if text(form, "keep") != "yes":
        site.waiting = None
        return "/welcome"
    keep_waiting(site)
    if site.service.mode() == "alone":
        site.service.store.set(**{WELCOMED: True})
        return "/"
    return "/welcome/choose"


def _chosen(site: Site, form: FormData) -> str:
    _pause(site)
    site.service.set_sharing(disclosure=percent(text(form, "percent")))
    return "/welcome/people"


def _finish(site: Site, form: FormData) -> str:
    """Invite or join stay on the last step; the rest ends the first run."""
    _pause(site)
    wish = text(form, "wish")
    if wish == "invite":
        site.ticket = site.service.invite()
        return "/welcome/people"
    if wish == "join":
        join(site, form)
        return "/welcome/people"
    site.service.store.set(**{WELCOMED: True})
    if wish == "share":
        site.service.set_sharing(paused=False)
    if site.service.mode() == "alone":
        return "/"
    site.say("Sharing is on." if wish == "share" else "All set. Sharing is paused until you turn it on.")
    return "/"


def _pause(site: Site) -> None:
    """Nothing leaves during the first steps."""
    site.service.set_sharing(paused=True)
