"""Carry messages: what an agent has to send goes to the transport, and what is answered goes back to the agent."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable, Coroutine
from typing import Any, Protocol

from tacit.node.network.peers import Peers
from tacit.node.network.transport import NotDelivered, Outgoing, Transport, Unreachable
from tacit.node.store.database import StoreFull

SECOND = 1_000_000
_PENDING = 8
"""Messages on their way at the same time, unless told otherwise."""


class Sender(Protocol):
    """What an agent has to know about its messages."""

    peers: Peers
    problem: str

    def failed(self, out: Outgoing, now: int, why: str, sure: bool = False) -> None:
        """No answer came; `sure`: and it was not delivered."""
        ...

    def lost(self, out: Outgoing, sure: bool) -> None:
        """A message was not sent, as the one before was not answered."""
        ...

    def stale(self, out: Outgoing) -> bool:
        """Whether a message that waits to leave must not leave any more."""
        ...


class Carrier(ABC):
    """Messages of one agent over one transport."""

    def __init__(
        self, agent: Sender, transport: Transport, say: Callable[[str], None], pending: int = _PENDING
    ) -> None:
        self._sender, self._transport, self._say, self._pending = agent, transport, say, pending
        self._tasks: set[asyncio.Task[None]] = set()
        self._turns: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        """Messages to a peer leave one after the other: a model that a later one overtook would look like a replay."""
        self._start = 0.0

    @property
    def now(self) -> int:
        """Microseconds since the start of the first period."""
        return int((asyncio.get_running_loop().time() - self._start) * SECOND)

    @abstractmethod
    def _answered(self, out: Outgoing, data: bytes) -> list[Outgoing]:
        """What the agent says to an answer."""

    async def _settled(self) -> None:
        """Until no message is on its way, nor one that its answer calls for."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    def _deliver(self, ask: Callable[[], list[Outgoing]]) -> None:
        """Carry what the agent has to send; a store that cannot be written stops that, not the node."""
        try:
            outgoing = ask()
        except StoreFull as problem:
            self._sender.problem = str(problem)
            return
        for out in outgoing:
            if len(self._tasks) >= self._pending:
                self._sender.failed(out, self.now, "too many messages on their way", sure=True)
                continue
            self._spawn(self._carry(out))

    async def _carry(self, out: Outgoing) -> None:
        async with self._turns[out.peer]:
            if not self._sender.peers.reachable(out.peer, self.now) or self._sender.stale(out):
                # The message before this one was not answered: that is known, and no reason to wait again.
                self._sender.lost(out, sure=True)
                return
            try:
                answer = await self._transport.send(out.peer, out.addresses, out.data)
            except Unreachable as problem:
                self._sender.failed(out, self.now, str(problem), sure=isinstance(problem, NotDelivered))
                return
            self._deliver(lambda: self._answered(out, answer))

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (problem := task.exception()) is not None:
            self._say(f"a message was lost: {type(problem).__name__}: {problem}")
