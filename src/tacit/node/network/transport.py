"""What a transport is: send, receive, close. `iroh_transport` is for people, `testing.in_memory_network` for tests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from tacit.core.errors import TacitError
from tacit.node.network.wire import Kind

Handler = Callable[[str, bytes], bytes]
"""(authenticated id of the sender, message) -> answer."""


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A message for the transport. It is in the ledger already."""

    peer: str
    addresses: tuple[str, ...]
    kind: Kind
    data: bytes


class Unreachable(TacitError):  # noqa: N818 - reads as what happened
    """A peer could not be reached, or did not answer in time."""


class NotDelivered(Unreachable):
    """A peer could not be reached at all: it has nothing of the message, for certain."""


class Transport(Protocol):
    """A way to other nodes. Every call ends within a bounded time; ids are proven by key."""

    @property
    def addresses(self) -> tuple[str, ...]:
        """Where this node can be reached."""
        ...

    async def send(self, peer: str, addresses: tuple[str, ...], data: bytes) -> bytes:
        """Deliver a message and return the answer, or Unreachable."""
        ...

    async def receive(self, handler: Handler) -> None:
        """Hand every message that comes from now on to `handler`."""
        ...

    async def close(self) -> None:
        """End it, waiting until it is ended."""
        ...
