"""The transport over iroh: encrypted QUIC, a node's key is its identity, one stream per message and its answer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from tacit.node.network.addresses import good_addresses, is_relay
from tacit.node.network.iroh_binding import install_fast_write, load_iroh
from tacit.node.network.iroh_incoming import Incoming, creator
from tacit.node.network.local_discovery import LocalDiscovery
from tacit.node.network.transport import Handler, NotDelivered, Unreachable
from tacit.node.receive_limits import MAX_MESSAGE, SEND_SECONDS
from tacit.node.store.records import NetworkTraffic

ALPN = b"tacit/live/1"
_CLOSE_SECONDS = 5.0
_QUIET = 6.0
"""Seconds without a single byte after which an old connection is taken for dead. iroh itself takes 30."""
_LOOK = 0.25
"""Seconds between looks at whether a peer was found somewhere else, while it is called."""
NO_RELAY, DEFAULT_RELAYS = None, ""


class IrohTransport:
    """An endpoint of iroh."""

    def __init__(self, endpoint: Any, iroh: Any, incoming: Incoming, relayed: bool) -> None:
        self._endpoint, self._iroh, self._incoming, self._relayed = endpoint, iroh, incoming, relayed
        self._connections: dict[str, Any] = {}
        self._sent = self._received = 0
        self._last = NetworkTraffic()
        self.discovery: LocalDiscovery | None = None
        """Finds peers on the local network; closed with the endpoint."""

    @classmethod
    async def open(
        cls,
        secret: bytes,
        port: int,
        *,
        relay: str | None = DEFAULT_RELAYS,
        host: tuple[str, str] = ("0.0.0.0", "[::]"),
        knows: Callable[[str], bool] = lambda peer: True,
        hears_anybody: Callable[[], bool] = lambda: False,
    ) -> IrohTransport:
        """Listen on a port of both address families; on any free one where it is taken.

        `relay` is NO_RELAY, DEFAULT_RELAYS (n0's, with its lookup of addresses), or the URL of one's own. `knows` and
        `hears_anybody`: a peer that is not known may send little, unless this node hears anybody.
        """
        iroh = load_iroh()
        install_fast_write(iroh)
        iroh.iroh_ffi.uniffi_set_event_loop(asyncio.get_running_loop())
        incoming = Incoming(knows, hears_anybody)
        for attempt in (port, 0):
            options = iroh.EndpointOptions(
                preset=_preset(iroh, attempt, relay, host),
                secret_key=secret,
                protocols={ALPN: creator(iroh, incoming)},
            )
            try:
                endpoint = await asyncio.wait_for(iroh.Endpoint.bind(options), SEND_SECONDS)
                return cls(endpoint, iroh, incoming, relay is not NO_RELAY)
            except iroh.IrohError as problem:
                if attempt == 0:
                    raise Unreachable(f"cannot listen: {_message(problem)}") from None
        raise AssertionError

    @property
    def addresses(self) -> tuple[str, ...]:
        """Every direct address, loopback ones for nodes on the same machine, and the relay it is at home with."""
        if self._endpoint is None:
            return ()
        ports = {address.rpartition(":")[2] for address in self._endpoint.bound_sockets()}
        local = [f"127.0.0.1:{port}" for port in sorted(ports)]
        now = self._endpoint.addr()
        relay = [now.relay_url()] if now.relay_url() else []
        return good_addresses(tuple(dict.fromkeys([*relay, *local, *now.direct_addresses()])))

    @property
    def port(self) -> int:
        """The UDP port, of IPv4 where there are two."""
        bound = sorted(self._endpoint.bound_sockets(), key=lambda address: address.startswith("["))
        return int(bound[0].rpartition(":")[2])

    async def receive(self, handler: Handler) -> None:
        """Hand every message to `handler` from now on."""
        self._incoming.handler = handler
        self._incoming.ready.set()

    async def send(self, peer: str, addresses: tuple[str, ...], data: bytes) -> bytes:
        """One stream: the message, its end, the answer. An old connection that fails is tried anew once."""
        if len(data) > MAX_MESSAGE:
            raise Unreachable(f"message: got {len(data)} bytes; allowed: up to {MAX_MESSAGE}")
        if self._endpoint is None:
            raise NotDelivered("the network is closed")
        failure: type[Unreachable] = NotDelivered  # until there is a connection that could have carried it
        try:
            async with asyncio.timeout(SEND_SECONDS):
                old = self._connections.pop(peer, None)
                if old is not None:
                    failure = Unreachable
                    try:
                        return await self._ask_while_alive(peer, old, data)
                    except (self._iroh.IrohError, ConnectionError):
                        pass
                connection = await self._connect(peer, addresses)
                failure = Unreachable
                return await self._ask(peer, connection, data)
        except TimeoutError:
            raise failure("no answer in time") from None
        except self._iroh.IrohError as problem:
            raise failure(_message(problem)) from None

    async def _connect(self, peer: str, addresses: tuple[str, ...]) -> Any:
        """A connection; addresses that are found while it is tried are tried, too."""
        tried: tuple[str, ...] | None = None
        calls: set[asyncio.Task[Any]] = set()
        try:
            while True:
                nearby = self.discovery.addresses_of(peer) if self.discovery else ()
                found = tuple(dict.fromkeys((*nearby, *addresses)))
                if found != tried:
                    tried = found
                    calls.add(asyncio.create_task(self._call(peer, found)))
                done, _ = await asyncio.wait(calls, timeout=_LOOK, return_when=asyncio.FIRST_COMPLETED)
                calls -= done
                for call in done:
                    if call.exception() is None or not calls:
                        return call.result()
        finally:
            for call in calls:
                call.cancel()
            await asyncio.gather(*calls, return_exceptions=True)

    async def _call(self, peer: str, addresses: tuple[str, ...]) -> Any:
        iroh = self._iroh
        relays = [address for address in addresses if is_relay(address)] if self._relayed else []
        direct = [address for address in addresses if not is_relay(address)]
        target = iroh.EndpointAddr(iroh.EndpointId.from_string(peer), next(iter(relays), None), direct)
        return await self._endpoint.connect(target, ALPN)

    async def _ask(self, peer: str, connection: Any, data: bytes) -> bytes:
        stream = await connection.open_bi()
        await stream.send().write_all(data)
        await stream.send().finish()
        self._sent += len(data)
        answer = bytes(await stream.recv().read_to_end(MAX_MESSAGE))
        self._received += len(answer)
        self._connections[peer] = connection
        return answer

    async def _ask_while_alive(self, peer: str, connection: Any, data: bytes) -> bytes:
        """The same; ConnectionError where nothing at all comes back for a while: the peer moved, or went."""
        asking = asyncio.create_task(self._ask(peer, connection, data))
        try:
            while True:
                heard = connection.stats().udp_rx_bytes
                done, _ = await asyncio.wait({asking}, timeout=_QUIET)
                if done:
                    return asking.result()
                if connection.stats().udp_rx_bytes == heard:
                    raise ConnectionError
        finally:
            asking.cancel()
            await asyncio.gather(asking, return_exceptions=True)

    def traffic(self) -> NetworkTraffic:
        """What went through the endpoint since it was opened; the last figures when it is closed."""
        if self._endpoint is not None:
            counted = {name: int(one.value) for name, one in self._endpoint.stats().items()}
            self._last = _traffic(
                counted, self._sent + self._incoming.sent, self._received + self._incoming.received
            )
        return self._last

    async def close(self) -> None:
        """Wait until iroh has let go of everything: it may crash otherwise."""
        if self._endpoint is None:
            return
        self.traffic()
        # Its sockets stay open as long as the object is there.
        endpoint, self._endpoint = self._endpoint, None
        self._incoming.handler = None
        self._connections.clear()
        if self.discovery is not None:
            await self.discovery.close()
        try:
            await asyncio.wait_for(endpoint.close(), _CLOSE_SECONDS)
        except (TimeoutError, self._iroh.IrohError):
            return


def _traffic(counted: dict[str, int], sent: int, received: int) -> NetworkTraffic:
    def total(*names: str) -> int:
        return sum(counted.get(name, 0) for name in names)

    return NetworkTraffic(
        sent=total("socket:send_ipv4", "socket:send_ipv6", "socket:send_relay"),
        received=total("socket:recv_data_ipv4", "socket:recv_data_ipv6", "socket:recv_data_relay"),
        message_bytes_sent=sent,
        message_bytes_received=received,
        lookups=total("address_lookup:lookups"),
        relays=total("socket:relay_conns_success", "socket:relay_conns_failed"),
        router=total("net_report:portmap_attempts"),
    )


def _message(problem: Any) -> str:
    """`str` of iroh's errors is empty."""
    return " ".join(str(problem.message()).split())[:200]


def _preset(iroh: Any, port: int, relay: str | None, host: tuple[str, str]) -> Any:
    class Chosen(iroh.Preset):  # type: ignore[misc]
        def apply(self, builder: Any) -> None:
            if relay == DEFAULT_RELAYS:
                builder.apply_n0()
            else:
                builder.apply_minimal()
                builder.relay_mode(
                    iroh.RelayMode.disabled() if relay is None else iroh.RelayMode.custom_from_urls([relay])
                )
            for address in host:
                builder.bind_addr(f"{address}:{port}")

    return Chosen()
