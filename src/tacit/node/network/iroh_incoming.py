"""What comes in over iroh: messages of one connection after the other, and little of nodes that are not known."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from tacit.node.network.transport import Handler
from tacit.node.receive_limits import (
    HANDLE_SECONDS,
    MAX_GREETING,
    MAX_MESSAGE,
    MAX_STRANGERS,
    STRANGER_BYTES,
    STRANGER_MESSAGES,
    STRANGER_SECONDS,
)

_STREAMS = 4
"""Messages of one peer that are taken at the same time."""
_WATCH = 0.1
"""Seconds between looks at how much an unknown node has sent."""
T = TypeVar("T")


class Incoming:
    """What to do with messages; those that come before somebody said so wait."""

    def __init__(self, knows: Callable[[str], bool], hears_anybody: Callable[[], bool]) -> None:
        self.handler: Handler | None = None
        self.ready = asyncio.Event()
        self.sent = self.received = 0
        """Bytes of answers and messages."""
        self._knows, self._hears_anybody = knows, hears_anybody
        self._strangers = 0

    async def serve(self, iroh: Any, connection: Any) -> None:
        """Take messages of one connection, one after the other."""
        peer = str(connection.remote_id())
        connection.set_max_concurrent_bi_streams(_STREAMS)
        connection.set_max_concurrent_uni_streams(0)
        try:
            if self._knows(peer) or await self._introduced(connection, peer):
                await self._take(connection, peer, MAX_MESSAGE)
        except (iroh.IrohError, TimeoutError):
            # Too large, too slow, or gone: whoever still waits for an answer need not.
            connection.close(1, b"refused")

    async def _introduced(self, connection: Any, peer: str) -> bool:
        """Hear a node that is not known for a short time; whether it is known now."""
        if self._strangers >= MAX_STRANGERS:
            connection.close(2, b"busy")
            return False
        self._strangers += 1
        watch = asyncio.create_task(_watch(connection, STRANGER_BYTES))
        try:
            if self._hears_anybody():
                watch.cancel()
                await self._take(connection, peer, MAX_MESSAGE)
                return False
            async with asyncio.timeout(STRANGER_SECONDS):
                for _ in range(STRANGER_MESSAGES):
                    await self._take(connection, peer, MAX_GREETING, once=True)
                    if self._knows(peer):
                        return True
            connection.close(1, b"refused")
            return False
        finally:
            watch.cancel()
            self._strangers -= 1

    async def _take(self, connection: Any, peer: str, most: int, *, once: bool = False) -> None:
        await _bounded(self.ready.wait())
        while True:
            stream = await connection.accept_bi()
            data = bytes(await _bounded(stream.recv().read_to_end(most)))
            if self.handler is None:
                connection.close(0, b"gone")  # an end without an answer would look like an empty one
                return
            answer = self.handler(peer, data)
            self.received += len(data)
            self.sent += len(answer)
            await _bounded(stream.send().write_all(answer))
            await _bounded(stream.send().finish())
            if once:
                return


async def _watch(connection: Any, most: int) -> None:
    """Close a connection that brings more than allowed, on whatever streams."""
    while connection.stats().udp_rx_bytes <= most:
        await asyncio.sleep(_WATCH)
    connection.close(1, b"too much")


async def _bounded(what: Awaitable[T]) -> T:
    return await asyncio.wait_for(what, HANDLE_SECONDS)


def creator(iroh: Any, incoming: Incoming) -> Any:
    """What iroh asks to take connections."""

    class Taker(iroh.ProtocolHandler):  # type: ignore[misc]
        async def accept(self, conn: Any) -> None:
            await incoming.serve(iroh, conn)

        async def shutdown(self) -> None:
            return

    class Creator(iroh.ProtocolCreator):  # type: ignore[misc]
        def create(self, endpoint: Any) -> Any:
            return Taker()

    return Creator()
