"""Nodes that are not known cost little: few connections at a time, small messages, a short while."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import psutil
import pytest

from tacit.node.network.transport import Unreachable
from tacit.node.receive_limits import MAX_GREETING, MAX_STRANGERS

iroh = pytest.importorskip("iroh")
LOOPBACK = ("127.0.0.1", "[::1]")
SERVER = """
import asyncio, sys
from tacit.node.network.iroh_transport import IrohTransport
async def main():
    host = ("127.0.0.1", "[::1]")
    node = await IrohTransport.open(bytes([9]) * 32, 0, relay=None, host=host, knows=lambda peer: False)
    await node.receive(lambda peer, data: b"no")
    print(node.port, flush=True)
    await asyncio.to_thread(sys.stdin.read)
    await node.close()
asyncio.run(main())
"""
NODE = str(iroh.SecretKey.from_bytes(bytes([9]) * 32).public())


@pytest.fixture
def server() -> Iterator[tuple[psutil.Process, tuple[str, ...]]]:
    """A node in a process of its own that knows nobody."""
    with subprocess.Popen(
        [sys.executable, "-c", SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        port = process.stdout.readline().strip()
        try:
            yield psutil.Process(process.pid), (f"127.0.0.1:{port}",)
        finally:
            process.kill()


async def caller(number: int) -> Any:
    from tacit.node.network.iroh_transport import IrohTransport

    return await IrohTransport.open(bytes([1, number]) * 16, 0, relay=None, host=LOOPBACK)


def test_a_stranger_is_heard_if_it_says_little(server: tuple[psutil.Process, tuple[str, ...]]) -> None:
    async def story() -> None:
        stranger = await caller(1)
        try:
            assert await stranger.send(NODE, server[1], b"x" * MAX_GREETING) == b"no"
            with pytest.raises(Unreachable):
                await stranger.send(NODE, server[1], b"x" * (MAX_GREETING + 1))
        finally:
            await stranger.close()

    asyncio.run(story())


def test_a_hundred_strangers_that_hold_on_cost_a_few_megabytes(
    server: tuple[psutil.Process, tuple[str, ...]],
) -> None:
    """Each connects, sends 4 MB without an end, and stays. Before there were limits: 235 to 675 MB."""
    from tacit.node.network.iroh_transport import ALPN

    process, addresses = server
    held: list[Any] = []

    async def hold(node: Any, target: Any) -> None:
        try:
            async with asyncio.timeout(20):
                connection = await node._endpoint.connect(target, ALPN)
                held.append(connection)
                stream = await connection.open_bi()
                held.append(stream)
                await stream.send().write_all(b"x" * 4 * 2**20)
        except (iroh.IrohError, TimeoutError):
            return

    async def story() -> int:
        nodes = [await caller(number) for number in range(1, 5)]
        target = iroh.EndpointAddr(iroh.EndpointId.from_string(NODE), None, list(addresses))
        await hold(nodes[0], target)  # so that what is loaded once is not counted
        before = process.memory_info().rss
        await asyncio.gather(*(hold(nodes[n % 4], target) for n in range(100)))
        after = process.memory_info().rss
        for node in nodes:
            await node.close()
        return int(after - before)

    grown = asyncio.run(story())
    assert len(held) >= MAX_STRANGERS
    assert grown < 40 * 2**20
