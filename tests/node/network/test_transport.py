"""Real messages over the loopback interface, and a network in memory that behaves alike."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from tacit.node.network import iroh_binding
from tacit.node.network.transport import Transport, Unreachable
from tacit.node.receive_limits import MAX_MESSAGE
from tacit.testing.in_memory_network import MemoryNetwork
from tacit.testing.virtual_time import run_virtual

Story = Callable[[Transport, Transport, str, str], Awaitable[Any]]


def over_memory(story: Story) -> Any:
    async def run() -> Any:
        network = MemoryNetwork(lambda size: 0.01)
        return await story(network.join("ana"), network.join("bo"), "ana", "bo")

    return run_virtual(run())


def over_iroh(story: Story) -> Any:
    iroh = pytest.importorskip("iroh")
    from tacit.node.network.iroh_transport import IrohTransport

    async def run() -> Any:
        loopback = ("127.0.0.1", "[::1]")
        keys = [bytes([n]) * 32 for n in (1, 2)]
        ana, bo = [await IrohTransport.open(key, 0, relay=None, host=loopback) for key in keys]
        try:
            return await story(ana, bo, *(str(iroh.SecretKey.from_bytes(key).public()) for key in keys))
        finally:
            await ana.close()
            await bo.close()

    return asyncio.run(run())


@pytest.mark.parametrize("over", [over_memory, over_iroh])
def test_a_message_arrives_with_the_sender_s_proven_name_and_is_answered(
    over: Callable[[Story], Any],
) -> None:
    got: list[tuple[str, bytes]] = []

    def answer(peer: str, data: bytes) -> bytes:
        got.append((peer, data))
        return data[::-1]

    async def story(ana: Transport, bo: Transport, ana_id: str, bo_id: str) -> list[bytes]:
        await ana.receive(answer)
        await bo.receive(lambda peer, data: b"")
        large = bytes(range(256)) * 4000
        answers = [await bo.send(ana_id, ana.addresses, data) for data in (b"", b"abc", large)]
        assert [peer for peer, _ in got] == [bo_id] * 3
        assert got[2][1] == large
        return answers

    assert over(story)[1] == b"cba"


def test_a_message_that_comes_before_the_node_is_ready_waits_for_it() -> None:
    """A node listens while it still gets ready; its friends must not take that for a refusal."""

    async def story(ana: Transport, bo: Transport, ana_id: str, bo_id: str) -> bytes:
        early = asyncio.create_task(bo.send(ana_id, ana.addresses, b"early"))
        await asyncio.sleep(0.3)
        assert not early.done()
        await ana.receive(lambda peer, data: data[::-1])
        return await early

    assert over_iroh(story) == b"ylrae"


def test_a_node_that_goes_leaves_no_empty_answer() -> None:
    async def story(ana: Transport, bo: Transport, ana_id: str, bo_id: str) -> None:
        await ana.receive(lambda peer, data: b"yes")
        assert await bo.send(ana_id, ana.addresses, b"first") == b"yes"
        ana._incoming.handler = None  # type: ignore[attr-defined]
        with pytest.raises(Unreachable):
            await bo.send(ana_id, ana.addresses, b"too late")

    over_iroh(story)


@pytest.mark.parametrize("over", [over_memory, over_iroh])
def test_a_message_that_is_too_large_is_not_delivered(over: Callable[[Story], Any]) -> None:
    got: list[bytes] = []

    async def story(ana: Transport, bo: Transport, ana_id: str, bo_id: str) -> None:
        await ana.receive(lambda peer, data: got.append(data) or b"")  # type: ignore[func-returns-value]
        await bo.receive(lambda peer, data: b"")
        with pytest.raises(Unreachable):
            await bo.send(ana_id, ana.addresses, b"x" * (MAX_MESSAGE + 1))
        assert await bo.send(ana_id, ana.addresses, b"after") == b""

    over(story)
    assert got == [b"after"]


def test_nobody_there_and_nobody_answering_end_in_time() -> None:
    async def story() -> list[str]:
        network = MemoryNetwork()
        ana = network.join("ana")
        await ana.receive(lambda peer, data: b"")
        network.silent.add("stone")
        told = []
        for peer in ("nobody", "stone"):
            with pytest.raises(Unreachable) as problem:
                await ana.send(peer, (), b"hello")
            told.append(str(problem.value))
        assert asyncio.get_running_loop().time() < 20
        return told

    assert run_virtual(story()) == ["nobody there", "no answer in time"]


def test_the_fast_write_is_for_the_version_it_was_written_for_only(monkeypatch: pytest.MonkeyPatch) -> None:
    iroh = pytest.importorskip("iroh")
    builder = iroh.iroh_ffi._UniffiRustBufferBuilder
    stock = builder.write
    try:
        monkeypatch.setattr(iroh_binding, "version", lambda name: "9.9.9")
        assert not iroh_binding.install_fast_write(iroh)
        assert builder.write is stock
    finally:
        builder.write = stock


def test_the_fast_write_that_fails_its_test_leaves_the_library_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    iroh = pytest.importorskip("iroh")
    builder = iroh.iroh_ffi._UniffiRustBufferBuilder
    stock = builder.write
    monkeypatch.setattr(iroh_binding, "_works", lambda builder: False)
    assert not iroh_binding.install_fast_write(iroh)
    assert builder.write is stock


def test_virtual_time_does_not_wait_and_notices_when_nothing_can_ever_happen() -> None:
    async def long() -> float:
        await asyncio.sleep(10**6)
        return asyncio.get_running_loop().time()

    assert run_virtual(long()) >= 10**6

    async def stuck() -> None:
        await asyncio.Event().wait()

    with pytest.raises(RuntimeError, match="never comes"):
        run_virtual(stuck())


def test_who_cannot_be_reached_at_all_has_nothing_of_the_message_for_certain() -> None:
    from tacit.node.network.transport import NotDelivered

    async def story() -> list[bool]:
        network = MemoryNetwork()
        ana = network.join("ana")
        await ana.receive(lambda peer, data: b"")
        network.silent.add("stone")
        certain = []
        for peer in ("nobody", "stone"):
            with pytest.raises(Unreachable) as problem:
                await ana.send(peer, (), b"hello")
            certain.append(isinstance(problem.value, NotDelivered))
        return certain

    assert run_virtual(story()) == [True, False]


def test_over_iroh_too(monkeypatch: pytest.MonkeyPatch) -> None:
    iroh = pytest.importorskip("iroh")
    from tacit.node.network import iroh_transport
    from tacit.node.network.transport import NotDelivered

    monkeypatch.setattr(iroh_transport, "SEND_SECONDS", 1.0)

    async def story() -> None:
        loopback = ("127.0.0.1", "[::1]")
        ana = await iroh_transport.IrohTransport.open(bytes([3]) * 32, 0, relay=None, host=loopback)
        nobody = str(iroh.SecretKey.from_bytes(bytes([4]) * 32).public())
        try:
            with pytest.raises(NotDelivered):
                await ana.send(nobody, ("127.0.0.1:9",), b"hello")
        finally:
            await ana.close()

    asyncio.run(story())


def test_closed_there_is_no_socket_left_and_the_counts_stay() -> None:
    psutil = pytest.importorskip("psutil")

    async def story(ana: Transport, bo: Transport, ana_id: str, bo_id: str) -> None:
        await ana.receive(lambda peer, data: b"yes")
        assert await bo.send(ana_id, ana.addresses, b"x" * 1000) == b"yes"
        ports = {int(address.rsplit(":", 1)[1]) for address in (*ana.addresses, *bo.addresses)}
        assert ports
        for one in (ana, bo):
            await one.close()
        counted = bo.traffic()  # type: ignore[attr-defined]
        assert (counted.message_bytes_sent, counted.message_bytes_received) == (1000, 3)
        assert counted.sent > 1000
        assert ana.traffic().message_bytes_received == 1000  # type: ignore[attr-defined]
        assert bo.addresses == ()
        with pytest.raises(Unreachable, match="closed"):
            await bo.send(ana_id, (), b"hello")
        for _ in range(100):
            if not ports & {socket.laddr.port for socket in psutil.Process().net_connections("udp")}:
                return
            await asyncio.sleep(0.1)
        raise AssertionError("sockets are left")

    over_iroh(story)


def test_a_relay_s_address_is_handed_on_and_not_used_without_relays() -> None:
    """Without relays a message goes by the other addresses; a relay alone is no way then."""

    async def story(ana: Transport, bo: Transport, ana_id: str, bo_id: str) -> None:
        await ana.receive(lambda peer, data: b"yes")
        relay = "https://relay.invalid/"
        assert await bo.send(ana_id, (relay, *ana.addresses), b"hello") == b"yes"

    over_iroh(story)


def test_an_old_connection_that_is_silent_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """A peer that moved is called anew before the message's time is over."""
    pytest.importorskip("iroh")
    from tacit.node.network import iroh_transport

    monkeypatch.setattr(iroh_transport, "_QUIET", 0.3)

    class Dead:
        def stats(self) -> Any:
            return type("Stats", (), {"udp_rx_bytes": 7})

        async def open_bi(self) -> None:
            await asyncio.sleep(100)

    async def story(ana: Transport, bo: Transport, ana_id: str, bo_id: str) -> bytes:
        await ana.receive(lambda peer, data: b"yes")
        bo._connections[ana_id] = Dead()  # type: ignore[attr-defined]
        return await bo.send(ana_id, ana.addresses, b"hello")

    assert over_iroh(story) == b"yes"


def test_an_address_that_is_found_while_a_peer_is_called_is_used() -> None:
    class Found:
        def __init__(self, addresses: tuple[str, ...]) -> None:
            self.left, self.addresses = 3, addresses

        def addresses_of(self, peer: str) -> tuple[str, ...]:
            self.left -= 1
            return self.addresses if self.left < 0 else ()

        async def close(self) -> None:
            return

    async def story(ana: Transport, bo: Transport, ana_id: str, bo_id: str) -> bytes:
        await ana.receive(lambda peer, data: b"yes")
        bo.discovery = Found(ana.addresses)  # type: ignore[attr-defined]
        return await bo.send(ana_id, ("127.0.0.1:9",), b"hello")

    assert over_iroh(story) == b"yes"
