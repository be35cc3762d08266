"""A network in memory for live nodes: a transport whose messages are bytes, take time, and are recorded."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from tacit.node.network.transport import Handler, NotDelivered, Unreachable
from tacit.node.receive_limits import MAX_MESSAGE, SEND_SECONDS


class MemoryNetwork:
    """All nodes of a test."""

    def __init__(self, seconds: Callable[[int], float] = lambda size: 0.0) -> None:
        self.seconds = seconds
        """How long a message of some bytes takes."""
        self.wire: list[tuple[str, str, bytes]] = []
        """(from, to, bytes) of everything that ever left a node, answers included."""
        self.handlers: dict[str, Handler] = {}
        self.silent: set[str] = set()
        """Nodes that take messages and never answer."""

    def join(self, name: str) -> MemoryTransport:
        """A transport for one node."""
        return MemoryTransport(self, name)


class MemoryTransport:
    """One node's transport."""

    def __init__(self, network: MemoryNetwork, name: str) -> None:
        self._network, self._name = network, name
        self.addresses: tuple[str, ...] = ()

    async def send(self, peer: str, addresses: tuple[str, ...], data: bytes) -> bytes:
        """Deliver after the time it takes; the answer comes back at once."""
        network = self._network
        network.wire.append((self._name, peer, data))
        try:
            async with asyncio.timeout(max(SEND_SECONDS, network.seconds(len(data)) + 1)):
                await asyncio.sleep(network.seconds(len(data)))
                if peer in network.silent:
                    await asyncio.Event().wait()
        except TimeoutError:
            raise Unreachable("no answer in time") from None
        handler = network.handlers.get(peer)
        if handler is None or self._name not in network.handlers or len(data) > MAX_MESSAGE:
            raise NotDelivered("nobody there")
        answer = handler(self._name, data)
        network.wire.append((peer, self._name, answer))
        return answer

    async def receive(self, handler: Handler) -> None:
        """Hand every message to `handler` from now on."""
        self._network.handlers[self._name] = handler

    async def close(self) -> None:
        """Leave the network."""
        self._network.handlers.pop(self._name, None)
