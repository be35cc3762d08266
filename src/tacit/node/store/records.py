"""Records of the node: items, ratings, peers, ledger entries, recommendations, status. Plain data, no behaviour."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Signal = Literal["rating", "liked", "disliked", "seen", "want", "dropped"]
SIGNALS: tuple[Signal, ...] = ("rating", "liked", "disliked", "seen", "want", "dropped")
LOW, HIGH = 1.0, 5.0
"""The scale every rating is kept on, wherever it came from: nodes must mean the same by a number."""


@dataclass(frozen=True, slots=True)
class Item:
    """Something that can be recommended."""

    key: str
    title: str
    row: int
    """64-bit hash of the key."""


@dataclass(frozen=True, slots=True)
class Rating:
    """What a person said about an item. Stays on the device."""

    key: str
    title: str
    signal: Signal = "rating"
    value: float | None = None
    """From LOW to HIGH, with the signal `rating`."""
    time: int | None = None
    """Unix seconds, where known."""
    source: str = "here"
    person: str = ""
    """The person, in a cluster node; empty for the one person of a plain node."""


@dataclass(frozen=True, slots=True)
class Invitation:
    """An invitation that works."""

    expires: float
    """Unix time."""
    uses: int
    """How many nodes it lets in, at most."""
    used: int


@dataclass(frozen=True, slots=True)
class Peer:
    """Another node this one knows."""

    id: str
    name: str = ""
    addresses: tuple[str, ...] = ()
    allowed: bool = False
    """Invited, or whose invitation was accepted."""
    open: bool = False
    """Talks to anybody, and may be named to others."""
    last_seen: float | None = None
    """Unix time of the last message from it."""
    score: float = 0.0
    """How well its last model would have done on this node's own ratings; higher is better."""
    sequence: int = 0
    """Number of its last update: an older or equal one is a replay."""
    secret: str = ""
    """The one-time secret of its invitation, until it was used."""
    problem: str = ""
    """Why the last exchange failed."""


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """One line of the ledger: something that left, entered before it left."""

    id: int
    time: float
    peer: str
    kind: str
    """`update`, or `hello` and `exchange`, which carry nothing about ratings."""
    rows: int
    rows_rated: int
    bytes: int
    disclosure: float


@dataclass(frozen=True, slots=True)
class Traffic:
    """Totals of everything sent or received."""

    updates: int = 0
    rows: int = 0
    bytes: int = 0
    refused: int = 0


@dataclass(frozen=True, slots=True)
class NetworkTraffic:
    """What the network library did, our messages included; bytes of lookups, relays' greetings and UPnP are not."""

    sent: int = 0
    """Bytes that left its sockets."""
    received: int = 0
    message_bytes_sent: int = 0
    """Bytes of our messages and answers among them."""
    message_bytes_received: int = 0
    lookups: int = 0
    """Lookups of addresses, connections to relays, and searches for a router: how often, not how many bytes."""
    relays: int = 0
    router: int = 0

    @property
    def own(self) -> int:
        """Bytes that the library sent besides messages: encryption, acknowledgements, keeping connections alive."""
        return max(0, self.sent - self.message_bytes_sent)

    def __str__(self) -> str:
        """One line to show beside the ledger."""
        return (
            f"{self.own:,} bytes sent besides messages, {self.lookups:,} lookups, {self.relays:,} connections to "
            f"relays, {self.router:,} searches for a router; bytes of these three are not counted"
        )


@dataclass(frozen=True, slots=True)
class Reason:
    """One part of a title's score."""

    of: Literal["own", "public", "member"]
    """An own rating, what people like on average, or a member of the circle."""
    part: float
    name: str = ""
    """The title of the own rating, or the member's name where they allow it."""
    key: str = ""
    """Of the own rating."""


@dataclass(frozen=True, slots=True)
class Recommendation:
    """An item the person does not know, best first."""

    key: str
    title: str
    score: float
    because: list[str] = field(default_factory=list)
    """Titles of own ratings that add most to the score; from an exchanged model, those whose rows are nearest."""
    new: bool = False
    """Whether it was not shown in an earlier visit."""
    year: int | None = None
    hue: int | None = None
    """A colour, 0 to 23, where the start has one: titles liked by the same people have neighbouring ones."""
    reasons: tuple[Reason, ...] = ()
    """Everything the linear score is made of, largest first; nothing where there is no start and no circle."""
    liked_by: int = 0
    """How many others of the circle like it."""
    circle: str = ""
    """The same in words, with the names of those who allow it; empty where nobody does."""


@dataclass(frozen=True, slots=True)
class CircleLikes:
    """What the other members of a circle share, for the recommender."""

    likes: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Keys by member id."""
    names: Mapping[str, str] = field(default_factory=dict)
    """Names by member id, of those who let themselves be named beside a suggestion."""
    titles: Mapping[str, str] = field(default_factory=dict)
    """Titles by key, as members write them."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What a person wants to see in a list."""

    kinds: frozenset[str] = frozenset()
    """film, series, book, artist, album, csv; empty: all."""
    years: tuple[int, int] | None = None
    """First and last; titles whose year is not known are left out then."""
    seen: bool = False
    """Whether titles that the person knows may be in it."""
    new: bool = False
    """Only titles that were not shown in an earlier visit."""
    circle: bool = False
    """Only titles that the start does not have."""


@dataclass(frozen=True, slots=True)
class Preview:
    """The next message, as it would leave now."""

    rows: int
    rows_rated: int
    bytes: int
    disclosure: float
    items: list[tuple[str, bool]]
    """(title or row number, whether it is about an item the person rated) of every row in it."""


@dataclass(frozen=True, slots=True)
class Sharing:
    """What a person decided about sharing."""

    disclosure: float
    paused: bool
    open: bool
    """Whether anybody may talk to this node, not only invited people."""
    problem: str = ""
    """Why nothing is sent although it is not paused, e.g. a full disk."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One line of the problem log."""

    time: float
    line: str


Mode = Literal["alone", "circle", "crowd"]
"""alone: nothing is sent. circle: friends share openly. crowd: many people add up sums."""


@dataclass(frozen=True, slots=True)
class StartFacts:
    """Where the rows of a node come from."""

    source: str
    items: int
    licence: str


@dataclass(frozen=True, slots=True)
class Status:
    """How the node is."""

    id: str
    name: str
    model: str
    cluster: bool
    running: bool
    ratings: int
    rows_known: int
    peers: list[Peer]
    sent: Traffic
    received: Traffic
    sharing: Sharing
    mode: Mode
    start: StartFacts | None
