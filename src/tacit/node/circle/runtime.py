"""The event loop of a node in a circle: asks the agent every second, and carries its messages.

runtime = CircleRuntime(agent, transport)
await runtime.run(stop)           until `stop` is set
await runtime.say_goodbye()       a node that is being paused sends its last, empty list
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from tacit.node.circle.agent import CircleAgent
from tacit.node.network.carry import Carrier
from tacit.node.network.transport import Outgoing, Transport
from tacit.node.receive_limits import MAX_CIRCLE


class CircleRuntime(Carrier):
    """Clock and network around the agent of a circle."""

    def __init__(
        self,
        agent: CircleAgent,
        transport: Transport,
        *,
        poll: float = 1.0,
        say: Callable[[str], None] = lambda line: None,
    ) -> None:
        super().__init__(agent, transport, say, pending=MAX_CIRCLE)
        self.agent, self._poll_seconds = agent, poll
        self._problem = ""

    async def run(self, stop: asyncio.Event) -> None:
        """Run until `stop` is set."""
        self._start = asyncio.get_running_loop().time()
        await self._transport.receive(lambda peer, data: self.agent.handle(peer, data, self.now))
        looking, stopping = asyncio.create_task(self._look()), asyncio.create_task(stop.wait())
        try:
            done, _ = await asyncio.wait({stopping, looking}, return_when=asyncio.FIRST_COMPLETED)
            for task in done - {stopping}:
                task.result()  # it never ends but by an error
        finally:
            for task in (stopping, looking, *self._tasks):
                task.cancel()
            await asyncio.gather(stopping, looking, *self._tasks, return_exceptions=True)
            try:
                await self._transport.close()
            finally:
                self.agent.flush()

    async def say_goodbye(self) -> None:
        """Tell the last, empty list to everybody who can be reached."""
        self.agent.begin_last_words(self.now)
        try:
            while True:
                self._deliver(lambda: self.agent.next(self.now))
                if not self._tasks:
                    return
                await self._settled()
        finally:
            self.agent.last_words = False

    def _news(self) -> list[Outgoing]:
        """Follow the store and the network; whatever there is to say."""
        self.agent.refresh(self.now)
        if self._transport.addresses != self.agent.addresses:
            self.agent.moved(self._transport.addresses, self.now)
        return self.agent.next(self.now)

    async def _look(self) -> None:
        agent = self.agent
        while True:
            self._deliver(self._news)
            agent.flush()
            if agent.problem != self._problem:
                self._problem = agent.problem
                self._say(agent.problem or "sharing continues: the ledger can be written again")
            await asyncio.sleep(self._poll_seconds)

    def _answered(self, out: Outgoing, data: bytes) -> list[Outgoing]:
        return self.agent.answered(out, data, self.now)
