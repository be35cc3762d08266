"""Find nodes that are known on a local network, without internet: mDNS, through zeroconf.

A node announces a random name, its port and addresses, a random salt, and a hash of its id with that salt. Nodes
that know the id recognize it. Others see some tacit node, and a different one after each start, each day and each move.

    discovery = await LocalDiscovery.open(node_id, port)
    discovery.addresses_of(peer)          where a peer was found, if it was
    await discovery.close()

Anybody can announce anything. A wrong address costs one try: peers prove their ids by key.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from tacit.node.network.addresses import good_addresses, own_ips

SERVICE = "_tacit._udp.local."
_MOST = 256
"""Announcements that are remembered, the newest."""
_MOST_ADDRESSES = 8
_ASK = 3_000
"""Milliseconds to wait for what belongs to a name."""
_LOOK, _RENEW = 5.0, 86_400.0
"""Seconds between looks at whether this computer moved, and after which the announced name is another one."""
_CLOSE = 3.0


@dataclass(frozen=True, slots=True)
class Announcement:
    """What a node says on the local network."""

    salt: bytes
    mark: bytes
    addresses: tuple[str, ...]

    def is_of(self, node: str) -> bool:
        """Whether it is by the node with this id."""
        return self.mark == mark_of(node, self.salt)


def mark_of(node: str, salt: bytes) -> bytes:
    """What only those recognize who know the id."""
    return blake2b(bytes.fromhex(node), key=salt, digest_size=16, person=b"tacit local").digest()


class LocalDiscovery:
    """Announces one node and listens for others."""

    def __init__(self, node: str, port: int, on_found: Callable[[], None]) -> None:
        self._node, self._port, self._on_found = node, port, on_found
        self._heard: dict[str, Announcement] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._zeroconf: Any = None
        self._browser: Any = None
        self._info: Any = None

    @classmethod
    async def open(
        cls, node: str, port: int, on_found: Callable[[], None] = lambda: None
    ) -> LocalDiscovery | None:
        """Begin; None where this computer has no network for it, or zeroconf is not installed."""
        discovery = cls(node, port, on_found)
        try:
            await discovery._start()
        except (ImportError, OSError):
            await discovery.close()
            return None
        discovery._spawn(discovery._follow())
        return discovery

    def addresses_of(self, peer: str) -> tuple[str, ...]:
        """Where a peer was found, newest first."""
        found = [one.addresses for one in reversed(self._heard.values()) if one.is_of(peer)]
        return tuple(dict.fromkeys(address for addresses in found for address in addresses))[:_MOST_ADDRESSES]

    async def _start(self) -> None:
        from zeroconf.asyncio import AsyncServiceBrowser, AsyncZeroconf

        self._zeroconf = AsyncZeroconf(interfaces=_interfaces())
        self._info = _announced(self._node, self._port)
        await self._zeroconf.async_register_service(self._info)
        self._browser = AsyncServiceBrowser(self._zeroconf.zeroconf, SERVICE, handlers=[self._changed])

    async def _follow(self) -> None:
        """Announce anew, under another name, where this computer moved, and every day."""
        loop = asyncio.get_running_loop()
        ips, until = own_ips(), loop.time() + _RENEW
        while True:
            await asyncio.sleep(_LOOK)
            now = own_ips()
            if now == ips and loop.time() < until:
                continue
            ips, until = now, loop.time() + _RENEW
            self._heard.clear()
            await self._stop()
            try:
                await self._start()
            except OSError:  # No network now: the next one is another change.
                continue

    def _changed(self, *, zeroconf: Any, service_type: str, name: str, state_change: Any) -> None:
        """zeroconf heard of a name, or that it is gone."""
        if self._info is None or name == self._info.name:
            return
        if state_change.name == "Removed":
            self._heard.pop(name, None)
        elif len(self._tasks) < _MOST:
            self._spawn(self._look_up(zeroconf, name))

    async def _look_up(self, zeroconf: Any, name: str) -> None:
        from zeroconf.asyncio import AsyncServiceInfo

        info = AsyncServiceInfo(SERVICE, name)
        if not await info.async_request(zeroconf, _ASK):
            return
        heard = _read(info)
        if heard is None or heard == self._heard.get(name):
            return
        self._heard.pop(name, None)
        self._heard[name] = heard
        while len(self._heard) > _MOST:
            del self._heard[next(iter(self._heard))]
        self._on_found()

    def _spawn(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _stop(self) -> None:
        if self._zeroconf is None:
            return
        zeroconf, self._zeroconf, self._info = self._zeroconf, None, None
        try:
            async with asyncio.timeout(_CLOSE):
                if self._browser is not None:
                    await self._browser.async_cancel()
                await zeroconf.async_unregister_all_services()
                await zeroconf.async_close()
        except (TimeoutError, OSError):
            return

    async def close(self) -> None:
        """Say goodbye and end."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._stop()


def _interfaces() -> list[str]:
    """The addresses to speak and listen at; OSError where there are none but loopback."""
    ips = [str(ip) for ip in own_ips() if ip.version == 4]
    if not ips:
        raise OSError("no network")
    return ips


def _announced(node: str, port: int) -> Any:
    from zeroconf.asyncio import AsyncServiceInfo

    salt, name = secrets.token_bytes(16), secrets.token_hex(8)
    return AsyncServiceInfo(
        SERVICE,
        f"{name}.{SERVICE}",
        port=port,
        addresses=[ip.packed for ip in own_ips()[:_MOST_ADDRESSES]],
        properties={b"s": salt.hex().encode(), b"h": mark_of(node, salt).hex().encode()},
        server=f"{name}.local.",
    )


def _read(info: Any) -> Announcement | None:
    """What somebody announced, or None where it makes no sense."""
    try:
        salt = bytes.fromhex((info.properties.get(b"s") or b"").decode())
        mark = bytes.fromhex((info.properties.get(b"h") or b"").decode())
    except ValueError:
        return None
    if (len(salt), len(mark)) != (16, 16) or not info.port:
        return None
    texts = [f"[{ip}]:{info.port}" if ":" in ip else f"{ip}:{info.port}" for ip in info.parsed_addresses()]
    return Announcement(salt, mark, good_addresses(tuple(texts))[:_MOST_ADDRESSES])
