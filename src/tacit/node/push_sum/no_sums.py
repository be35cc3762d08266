"""What a node that sends models has to say about sums: nothing."""

from __future__ import annotations

from typing import ClassVar

from tacit.core.errors import BadMessage
from tacit.node.network.transport import Outgoing
from tacit.node.network.wire import Body, Kind
from tacit.node.push_sum.sum_wire import Ask, Catalogue, Share


class NoSums:
    """What `sum_agent` has an answer to."""

    agreement: str
    hands_over: ClassVar[bool] = False
    """Whether others may miss something when this node goes, so that it is worth a few seconds."""

    def asks(self, now: int) -> list[Outgoing]:
        """What there is to settle with others before sums can be exchanged."""
        return []

    def leave(self, now: int) -> list[Outgoing]:
        """What others would miss if this node went now: of models everybody has their own."""
        return []

    def lost(self, out: Outgoing, sure: bool) -> None:
        """A message was not answered; `sure`: it was not delivered either."""

    def stale(self, out: Outgoing) -> bool:
        """Whether a message that waits to leave must not leave any more."""
        return False

    def take_sum(self, peer: str, body: Share | Ask | Catalogue) -> bytes:
        """The answer to a message of a node that exchanges sums."""
        raise BadMessage(f"nodes differ: this one has {self.agreement}")

    def sum_answered(self, out: Outgoing, kind: Kind, body: Body) -> list[Outgoing]:
        """What to say to the answer to such a message."""
        raise BadMessage(f"{kind.name.lower()} is no answer to this")
