"""The line of truth on every page: which mode the node is in, and what leaves."""

from __future__ import annotations

from dataclasses import dataclass

from tacit.node.service import Service
from tacit.node.store.records import Status
from tacit.web.formatting import many, share
from tacit.web.privacy_promises import promise


@dataclass(frozen=True, slots=True)
class ModeLine:
    """One sentence, with the word that stands out."""

    glyph: str
    """alone, circle, crowd, or `stopped` where something keeps messages from leaving."""
    word: str
    text: str
    where: str
    """The page on which it can be changed."""


def mode_line(service: Service, now: Status) -> ModeLine:
    """The line, true as it stands."""
    if now.model:
        return _research(now)
    if service.is_in_circle():
        return _circle(service, now)
    return ModeLine("alone", "Alone.", promise("alone"), "/status#mode")


def _circle(service: Service, now: Status) -> ModeLine:
    where, state = "/circle", service.circle.state
    assert state is not None
    if state.leaving:
        return ModeLine(
            "stopped", f"Leaving {state.name}.", "One last, empty list goes to the others.", where
        )
    if now.sharing.paused:
        return ModeLine("stopped", "Paused.", promise("circle_paused"), where)
    if now.sharing.problem:
        return ModeLine("stopped", "Nothing is sent:", f"{now.sharing.problem}.", where)
    if state.waiting:
        return ModeLine("stopped", "Circle, not let in yet.", "You share nothing until you are.", where)
    if state.refused:
        return ModeLine("stopped", "Circle.", "Its host says that you are not in it any more.", where)
    count = len([one for one in service.circle.members() if not (one.is_me or one.left or one.removed_by)])
    titles = len(service.circle.shared().items)
    people = many(count, "person", "people")
    if not count:
        return ModeLine("circle", "Circle.", "Nobody else is in it yet.", where)
    if not titles:
        return ModeLine("circle", "Circle.", f"You share no titles with the {people} in it.", where)
    verb = "sees" if count == 1 else "see"
    return ModeLine("circle", "Circle.", f"{people} {verb} the {many(titles, 'title')} you share.", where)


def _research(now: Status) -> ModeLine:
    """Of a node that exchanges a model."""
    where, glyph = "/sharing", "crowd" if now.mode == "crowd" else "circle"
    people = many(len([p for p in now.peers if p.allowed or p.open]), "person", "people")
    if now.sharing.paused:
        return ModeLine("stopped", "Paused.", promise("paused"), where)
    if now.sharing.problem:
        return ModeLine("stopped", "Nothing is sent:", f"{now.sharing.problem}.", where)
    if not now.running:
        return ModeLine("stopped", "Not running.", "Nothing is sent until tacit node start.", where)
    if not now.peers:
        return ModeLine(glyph, f"Research ({now.model}).", "There is nobody to share with yet.", where)
    told = f"Sharing with {people}. {share(now.sharing.disclosure)}"
    return ModeLine(glyph, f"Research ({now.model}).", told, where)
