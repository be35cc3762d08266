"""Circle: friends who openly show each other what they like. Create, join, link, members, what is shared, leave."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from tacit.core.errors import BadInput
from tacit.node.catalogue.item_keys import KINDS, kind_of
from tacit.node.circle.circle import REFUSED, TOLD
from tacit.node.circle.likes import Choice, liked
from tacit.node.first_setup import checked_name
from tacit.node.network.invitations import Ticket, read_ticket
from tacit.web.page_base import Site, action, page, text
from tacit.web.qr import qr_code


def routes(site: Site) -> list[Route]:
    """Everything on Circle."""
    return [
        page(site, "/circle", _circle),
        page(site, "/circle/list", _list),
        page(site, "/circle/join", _offer),
        action(site, "/circle/create", _create, back="/circle"),
        action(site, "/circle/look", _look, back="/circle"),
        action(site, "/circle/join", _join, back="/circle"),
        action(site, "/circle/share", _share, back="/circle"),
        action(site, "/circle/link", _link, back="/circle"),
        action(site, "/circle/remove", _remove, back="/circle"),
        action(site, "/circle/leave", _leave, back="/circle"),
    ]


def _circle(site: Site, request: Request) -> Response:
    service = site.service
    if service.store.setting("model"):
        return RedirectResponse("/people", status_code=303)
    circle = service.circle
    state = circle.state
    if state is None or state.waiting or state.leaving:
        return site.show("circle_outside.html", place="/circle", state=state, told=TOLD)
    links = circle.links() if state.is_host else []
    likes = liked(service.ratings(""))
    shared = circle.shared()
    return site.show(
        "circle.html",
        place="/circle",
        state=state,
        members=circle.members(),
        shared=shared,
        sharing={item.key for item in shared.items},
        preview=circle.preview(),
        likes=[(site.cover(rating.key, rating.title), rating) for rating in likes],
        kinds_liked=Counter(kind_of(rating.key) for rating in likes),
        all_kinds=KINDS,
        link=links[0] if links else None,
        qr=qr_code(links[0].text) if links else None,
        told=TOLD,
        refused=REFUSED,
    )


def _list(site: Site, request: Request) -> Response:
    """What one member shares."""
    members = site.service.circle.members() if site.service.is_in_circle() else []
    found = [one for one in members if one.id == request.query_params.get("member", "") and not one.is_me]
    if not found:
        return RedirectResponse("/circle", status_code=303)
    rated = {rating.key: rating for rating in site.service.ratings("")}
    titles = site.service.circle.titles_of(found[0].id)
    cards = [(site.cover(item.key, item.title), rated.get(item.key)) for item in titles]
    return site.show("circle_list.html", place="/circle", at=site.at(request), member=found[0], cards=cards)


def _offer(site: Site, request: Request) -> Response:
    """What a link leads to, before anything is joined."""
    if not site.ticket:
        return RedirectResponse("/circle", status_code=303)
    likes = liked(site.service.ratings(""))
    return site.show("circle_join.html", place="/circle", link=_ticket(site.ticket), likes=likes, told=TOLD)


def _create(site: Site, form: FormData) -> str:
    _name(site, form)
    state = site.service.circle.create(text(form, "circle"))
    site.say(f"{state.name} is there. You share nothing yet: choose below, then let somebody in.")
    return "/circle"


def _look(site: Site, form: FormData) -> str:
    _ticket(text(form, "link"))
    site.ticket = text(form, "link")
    return "/circle/join"


def _join(site: Site, form: FormData) -> str:
    link, site.ticket = site.ticket, ""
    if text(form, "join") not in ("all", "none"):
        site.say("You did not join. Nothing was sent.")
        return "/circle"
    _name(site, form)
    site.service.circle.join(link)
    site.service.circle.share(Choice(all=text(form, "join") == "all"))
    return "/circle"


def _share(site: Site, form: FormData) -> str:
    rule, circle = text(form, "rule"), site.service.circle
    given = {name: frozenset(str(one) for one in form.getlist(name)) for name in ("kind", "item")}
    nothing = Choice(hidden=circle.shared().choice.hidden)
    choices = {
        "all": replace(nothing, all=True),
        "kinds": replace(nothing, kinds=given["kind"] if rule == "kinds" else frozenset()),
        "items": nothing.with_titles(given["item"]),
        "none": nothing,
    }
    if rule not in choices:
        raise BadInput("what you share", got=rule or "nothing", allowed=", ".join(choices))
    shared = circle.share(choices[rule], named=text(form, "named") == "yes")
    count = len(shared.items)
    site.say(f"Saved. You share {count:,} {'title' if count == 1 else 'titles'}.")
    return "/circle"


def _link(site: Site, form: FormData) -> str:
    circle = site.service.circle
    if text(form, "link") == "stop":
        site.say("The link is stopped." if circle.revoke() else "There was no link.")
    else:
        circle.link()
        site.say("Here is the link. Send it as you would a house key.")
    return "/circle#link-h"


def _remove(site: Site, form: FormData) -> str:
    gone = site.service.circle.remove(text(form, "member"))
    site.say(f"{gone.name or gone.id[:10]} is removed. What they saw, they saw.")
    return "/circle"


def _leave(site: Site, form: FormData) -> str:
    if text(form, "sure") != "yes":
        raise BadInput("leave", got="not confirmed", allowed="tick the box first")
    done = site.service.circle.leave()
    site.say("You left." if done else "You are leaving: the others get one last, empty list.")
    return "/circle"


def _ticket(link: str) -> Ticket:
    found = read_ticket(link)
    if not found.circle:
        raise BadInput("link", got="an invitation of another kind", allowed="the link of a circle")
    return found


def _name(site: Site, form: FormData) -> None:
    """How the others will call this person, if it was said."""
    if text(form, "name"):
        site.service.store.set(name=checked_name(text(form, "name")))
