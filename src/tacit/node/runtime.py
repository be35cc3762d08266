"""The event loop of a running node: wakes the agent, carries its messages, polls the store, saves.

    runtime = NodeRuntime(agent, transport)
    await runtime.run(stop)       until `stop` is set; what was learned is on disk afterwards

The loop's clock never jumps, whatever happens to the time of day. A computer that slept goes on where it is and does
not catch up.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress

from tacit.core.rng import Stream, uniform
from tacit.node.agent import Agent
from tacit.node.network.carry import SECOND as _SECOND
from tacit.node.network.carry import Carrier
from tacit.node.network.transport import Outgoing, Transport
from tacit.node.receive import answered, handle

_SAVE, _SAVE_MEGABYTE = 2.0, 10.0
"""Seconds between saves while something changes, and how many more for each megabyte of model."""
_LEAVING = 5.0
"""Seconds that a node takes at most to hand over what others would miss."""


class NodeRuntime(Carrier):
    """Clock and network around an agent."""

    def __init__(
        self,
        agent: Agent,
        transport: Transport,
        *,
        jitter: float = 0.1,
        exchanges: int | None = 2,
        poll: float = 1.0,
        leave: bool = True,
        say: Callable[[str], None] = lambda line: None,
    ) -> None:
        super().__init__(agent, transport, say)
        self.agent, self._jitter = agent, jitter
        self._poll_seconds = poll
        """Between looks at the store."""
        self._leave = leave
        """Whether to hand over what others would miss, in the end."""
        self._exchanges = exchanges
        """Periods between exchanges of keys and peers; None: none, and no hellos but to use an invitation."""
        self._next_exchange = self._next_save = 0
        self._problem = ""

    async def run(self, stop: asyncio.Event) -> None:
        """Run until `stop` is set."""
        learner = self.agent.learner
        # A node that was stopped goes on in the period in which it was to wake next.
        began = learner.next_wake // self.agent.rules.period * self.agent.rules.period
        self._start = asyncio.get_running_loop().time() - began / _SECOND
        self.agent.addresses = self._transport.addresses
        await self._transport.receive(lambda peer, data: handle(self.agent, peer, data, self.now))
        loops = [asyncio.create_task(self._wake()), asyncio.create_task(self._poll())]
        stopping = asyncio.create_task(stop.wait())
        try:
            done, _ = await asyncio.wait([stopping, *loops], return_when=asyncio.FIRST_COMPLETED)
            for task in done - {stopping}:
                task.result()  # a loop never ends but by an error
            if self._leave and self.agent.hands_over:
                for task in loops:
                    task.cancel()
                await self._hand_over()
        finally:
            for task in [stopping, *loops, *self._tasks]:
                task.cancel()
            await asyncio.gather(stopping, *loops, *self._tasks, return_exceptions=True)
            try:
                await self._transport.close()
            finally:
                self.agent.flush()

    async def _hand_over(self) -> None:
        """Before the end: what others would miss goes to one of them, if somebody is there to take it."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_LEAVING):
                while True:
                    await self._settled()
                    self._deliver(lambda: self.agent.leave(self.now))
                    if not self._tasks:
                        return

    async def _wake(self) -> None:
        learner, period = self.agent.learner, self.agent.rules.period
        for turn in range(2**62):
            luck = uniform(self.agent.rules.seed, Stream.LIVE_JITTER, learner.number, turn, 0)
            await self._until(learner.next_wake + int(self._jitter * luck * period))
            while learner.next_wake + 2 * period < self.now:
                learner.skip()  # the computer slept
            self._deliver(lambda: self.agent.wake(self.now))

    async def _until(self, at: int) -> None:
        """Sleep until some microsecond, not a rounding error less."""
        while (left := at - self.now) > 0:
            await asyncio.sleep(left / _SECOND)

    async def _poll(self) -> None:
        agent = self.agent
        while True:
            self._deliver(self._news)
            now = self.now
            if now >= self._next_save:
                pause = _SAVE + _SAVE_MEGABYTE * agent.learner.state.rows.nbytes / 2**20
                self._next_save = now + int(pause * _SECOND)
                self._follow_addresses()
                agent.flush()
            if agent.problem != self._problem:
                self._problem = agent.problem
                self._say(agent.problem or "sharing continues: the ledger can be written again")
            await asyncio.sleep(self._poll_seconds)

    def _news(self) -> list[Outgoing]:
        """Follow the store; whatever there is to say besides models."""
        agent, now = self.agent, self.now
        agent.refresh()
        out = agent.greetings(now, everybody=self._exchanges is not None) + agent.asks(now)
        if self._exchanges and now >= self._next_exchange and agent.peers.candidates():
            self._next_exchange = now + self._exchanges * agent.rules.period
            out += agent.exchange(now)
        return out

    def _follow_addresses(self) -> None:
        """A laptop that moved has other addresses: tell them in the next hellos and invitations."""
        addresses = self._transport.addresses
        if addresses != self.agent.addresses:
            self.agent.moved(addresses)

    def _answered(self, out: Outgoing, data: bytes) -> list[Outgoing]:
        return answered(self.agent, out, data, self.now)
