"""Records of a circle: what `service.circle` gives. Plain data, no behaviour."""

from __future__ import annotations

from dataclasses import dataclass

from tacit.node.circle.likes import Choice
from tacit.node.store.records import Item


@dataclass(frozen=True, slots=True)
class InCircle:
    """How this node is in its circle."""

    name: str
    """Of the circle."""
    me: str
    """This node's member id."""
    host: str
    """The member who made the circle: only they make links and remove people."""
    is_host: bool
    paused: bool
    generation: int
    """Number of the circle's key; 0 until the host let this node in."""
    waiting: bool
    """Whether the host has not let this node in yet."""
    leaving: bool
    """Whether the last, empty list still has to reach somebody."""
    problem: str = ""
    """Why the host was not reached, or did not take the last message; empty where it did."""
    refused: bool = False
    """Whether the host says that this node is no member any more."""


@dataclass(frozen=True, slots=True)
class Member:
    """Somebody in the circle, or who was in it."""

    id: str
    name: str
    """Empty where it is not known."""
    is_me: bool = False
    is_host: bool = False
    titles: int | None = None
    """How many titles they share; None: their list is not here yet."""
    last_heard: float | None = None
    """Unix time of their last message to this node."""
    list_changed: float | None = None
    """Unix time when their list last changed here."""
    removed_by: str = ""
    """Id of who removed them; empty for members."""
    left: bool = False
    """Whether they left by their own will."""
    problem: str = ""
    """Why they were not reached, or did not take the last message."""


@dataclass(frozen=True, slots=True)
class Shared:
    """What this node shares now."""

    choice: Choice
    rule: str
    """all, kinds, items or none."""
    items: list[Item]
    """Newest likes first."""
    likes: int
    """How many likes there are in all."""
    named: bool
    """Whether others may say the name beside a suggestion."""


@dataclass(frozen=True, slots=True)
class SharePreview:
    """What would leave with the next list."""

    titles: list[str]
    bytes: int
    """Of the whole list, encrypted; only parts that changed travel again."""
    receivers: list[str]
    """Names of the other members, or the beginnings of their ids."""


@dataclass(frozen=True, slots=True)
class LinkFacts:
    """A link of the circle."""

    text: str
    expires: float
    """Unix time."""
    uses: int
    """How many people it lets in, at most."""
    used: int
