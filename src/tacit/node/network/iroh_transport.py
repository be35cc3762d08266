"""The transport over iroh: encrypted QUIC, a node's key is its identity, one stream per message and its answer."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Any, TypeVar

from tacit.node.network.iroh_binding import install_fast_write, load_iroh
from tacit.node.network.transport import Handler, NotDelivered, Unreachable
from tacit.node.receive_limits import HANDLE_SECONDS, MAX_MESSAGE, SEND_SECONDS

ALPN = b"tacit/live/1"
_CLOSE_SECONDS = 5.0
_STREAMS = 4
"""Messages of one peer that are taken at the same time."""
T = TypeVar("T")


class IrohTransport:
    """An endpoint of iroh."""

    def __init__(self, endpoint: Any, iroh: Any, incoming: _Incoming) -> None:
        self._endpoint, self._iroh, self._incoming = endpoint, iroh, incoming
        self._connections: dict[str, Any] = {}

    @classmethod
    async def open(
        cls, secret: bytes, port: int, *, relay: bool = True, host: tuple[str, str] = ("0.0.0.0", "[::]")
    ) -> IrohTransport:
        """Listen on a port of both address families; on any free one where it is taken."""
        iroh = load_iroh()
        install_fast_write(iroh)
        iroh.iroh_ffi.uniffi_set_event_loop(asyncio.get_running_loop())
        incoming = _Incoming()
        for attempt in (port, 0):
            options = iroh.EndpointOptions(
                preset=_preset(iroh, attempt, relay, host),
                secret_key=secret,
                protocols={ALPN: _creator(iroh, incoming)},
            )
            try:
                endpoint = await asyncio.wait_for(iroh.Endpoint.bind(options), SEND_SECONDS)
                return cls(endpoint, iroh, incoming)
            except iroh.IrohError as problem:
                if attempt == 0:
                    raise Unreachable(f"cannot listen: {_message(problem)}") from None
        raise AssertionError

    @property
    def addresses(self) -> tuple[str, ...]:
        """Every direct address; loopback ones for nodes on the same machine."""
        ports = {address.rpartition(":")[2] for address in self._endpoint.bound_sockets()}
        local = [f"127.0.0.1:{port}" for port in sorted(ports)]
        return tuple(dict.fromkeys([*local, *self._endpoint.addr().direct_addresses()]))

    async def receive(self, handler: Handler) -> None:
        """Hand every message to `handler` from now on."""
        self._incoming.handler = handler
        self._incoming.ready.set()

    async def send(self, peer: str, addresses: tuple[str, ...], data: bytes) -> bytes:
        """One stream: the message, its end, the answer. An old connection that fails is tried anew once."""
        if len(data) > MAX_MESSAGE:
            raise Unreachable(f"message: got {len(data)} bytes; allowed: up to {MAX_MESSAGE}")
        failure: type[Unreachable] = NotDelivered  # until there is a connection that could have carried it
        try:
            async with asyncio.timeout(SEND_SECONDS):
                old = self._connections.pop(peer, None)
                if old is not None:
                    failure = Unreachable
                    try:
                        return await self._ask(peer, old, data)
                    except self._iroh.IrohError:
                        pass
                connection = await self._connect(peer, addresses)
                failure = Unreachable
                return await self._ask(peer, connection, data)
        except TimeoutError:
            raise failure("no answer in time") from None
        except self._iroh.IrohError as problem:
            raise failure(_message(problem)) from None

    async def _connect(self, peer: str, addresses: tuple[str, ...]) -> Any:
        iroh = self._iroh
        target = iroh.EndpointAddr(iroh.EndpointId.from_string(peer), None, list(addresses))
        return await self._endpoint.connect(target, ALPN)

    async def _ask(self, peer: str, connection: Any, data: bytes) -> bytes:
        stream = await connection.open_bi()
        await stream.send().write_all(data)
        await stream.send().finish()
        answer = bytes(await stream.recv().read_to_end(MAX_MESSAGE))
        self._connections[peer] = connection
        return answer

    async def close(self) -> None:
        """Wait until iroh has let go of everything: it may crash otherwise."""
        self._incoming.handler = None
        self._connections.clear()
        try:
            await asyncio.wait_for(self._endpoint.close(), _CLOSE_SECONDS)
        except (TimeoutError, self._iroh.IrohError):
            return


class _Incoming:
    """What to do with messages; those that come before somebody said so wait."""

    def __init__(self) -> None:
        self.handler: Handler | None = None
        self.ready = asyncio.Event()

    async def serve(self, iroh: Any, connection: Any) -> None:
        """Take messages of one connection, one after the other."""
        peer = str(connection.remote_id())
        connection.set_max_concurrent_bi_streams(_STREAMS)
        connection.set_max_concurrent_uni_streams(0)
        try:
            await _bounded(self.ready.wait())
            while True:
                stream = await connection.accept_bi()
                data = bytes(await _bounded(stream.recv().read_to_end(MAX_MESSAGE)))
                if self.handler is None:
                    connection.close(0, b"gone")  # an end without an answer would look like an empty one
                    return
                await _bounded(stream.send().write_all(self.handler(peer, data)))
                await _bounded(stream.send().finish())
        except (iroh.IrohError, TimeoutError):
            # Too large, too slow, or gone: whoever still waits for an answer need not.
            connection.close(1, b"refused")


async def _bounded(what: Awaitable[T]) -> T:
    return await asyncio.wait_for(what, HANDLE_SECONDS)


def _message(problem: Any) -> str:
    """`str` of iroh's errors is empty."""
    return " ".join(str(problem.message()).split())[:200]


def _creator(iroh: Any, incoming: _Incoming) -> Any:
    class Taker(iroh.ProtocolHandler):  # type: ignore[misc]
        async def accept(self, conn: Any) -> None:
            await incoming.serve(iroh, conn)

        async def shutdown(self) -> None:
            return

    class Creator(iroh.ProtocolCreator):  # type: ignore[misc]
        def create(self, endpoint: Any) -> Any:
            return Taker()

    return Creator()


def _preset(iroh: Any, port: int, relay: bool, host: tuple[str, str]) -> Any:
    class Chosen(iroh.Preset):  # type: ignore[misc]
        def apply(self, builder: Any) -> None:
            if relay:
                builder.apply_n0()
            else:
                builder.apply_minimal()
                builder.relay_mode(iroh.RelayMode.disabled())
            for address in host:
                builder.bind_addr(f"{address}:{port}")

    return Chosen()
