"""The network library runs exactly while something may leave."""

from __future__ import annotations

import asyncio
from typing import Any

from tacit.node.network.presence import Presence
from tacit.testing.virtual_time import run_virtual


class World:
    """Notes what happens to the one transport."""

    def __init__(self, *, silent: bool) -> None:
        self.silent, self.events, self.stop = silent, [], asyncio.Event()  # type: ignore[var-annotated]

    async def open(self) -> Any:
        self.events.append("open")
        return self

    async def close(self) -> None:
        self.events.append("close")

    async def exchange(self, transport: Any, end: asyncio.Event) -> None:
        self.events.append("exchange")
        await end.wait()
        self.events.append("end")

    async def before_silence(self, transport: Any) -> None:
        self.events.append("last words")

    def presence(self) -> Presence:
        return Presence(lambda: self.silent, self.open, self.exchange, self.before_silence)


def live(world: World, *moments: Any) -> list[str]:
    async def story() -> None:
        running = asyncio.create_task(world.presence().run(world.stop))
        for moment in moments:
            await asyncio.sleep(60)
            moment()
        await asyncio.sleep(60)
        world.stop.set()
        await running

    run_virtual(story())
    return world.events


def test_a_silent_node_opens_nothing() -> None:
    assert live(World(silent=True)) == []


def test_pausing_closes_it_after_last_words_and_resuming_opens_it() -> None:
    world = World(silent=False)

    def turn() -> None:
        world.silent = not world.silent

    once = ["open", "exchange", "last words", "end", "close"]
    assert live(world, turn, turn) == [*once, "open", "exchange", "end", "close"]


def test_last_words_that_do_not_end_are_cut_short() -> None:
    class Talker(World):
        async def before_silence(self, transport: Any) -> None:
            await asyncio.sleep(10**6)

    world = Talker(silent=False)
    assert live(world, lambda: setattr(world, "silent", True)) == ["open", "exchange", "end", "close"]
