"""Runs the network library exactly while something may leave: not alone, and not paused.

    await Presence(silent, open, exchange).run(stop)

`open` starts it, `exchange` talks to others until an event is set, then it is closed. `before_silence` is called when a
node is paused while it runs: the last chance to say something.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

from tacit.node.network.transport import Transport

_LOOK = 1.0
"""Seconds between looks at whether something may leave."""
_LAST = 5.0
"""Seconds for the last message before a silence."""


async def _nothing(transport: Transport) -> None:
    return


class Presence:
    """Opens and closes the way to others."""

    def __init__(
        self,
        is_silent: Callable[[], bool],
        open: Callable[[], Awaitable[Transport]],  # noqa: A002
        exchange: Callable[[Transport, asyncio.Event], Awaitable[None]],
        before_silence: Callable[[Transport], Awaitable[None]] = _nothing,
        look: float = _LOOK,
    ) -> None:
        self._is_silent, self._open, self._exchange = is_silent, open, exchange
        self._before_silence, self._look = before_silence, look

    async def run(self, stop: asyncio.Event, transport: Transport | None = None) -> None:
        """Until `stop` is set; `transport`: one that is open already."""
        while not stop.is_set():
            if self._is_silent():
                with suppress(TimeoutError):
                    await asyncio.wait_for(stop.wait(), self._look)
                continue
            transport = transport or await self._open()
            try:
                await self._be_there(transport, stop)
            finally:
                await transport.close()
                transport = None

    async def _be_there(self, transport: Transport, stop: asyncio.Event) -> None:
        """Exchange until asked to stop or to be silent."""
        end = asyncio.Event()
        exchanging = asyncio.ensure_future(self._exchange(transport, end))
        watching = asyncio.ensure_future(self._until_silent(stop))
        try:
            await asyncio.wait({exchanging, watching}, return_when=asyncio.FIRST_COMPLETED)
            if not exchanging.done() and not stop.is_set():
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._before_silence(transport), _LAST)
            end.set()
            await exchanging
        finally:
            watching.cancel()
            exchanging.cancel()
            await asyncio.gather(watching, exchanging, return_exceptions=True)

    async def _until_silent(self, stop: asyncio.Event) -> None:
        while not stop.is_set() and not self._is_silent():
            with suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), self._look)
