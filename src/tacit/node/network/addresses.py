"""Addresses of nodes as texts: IP:port, or a relay's URL, which starts with "http". What this computer has of them."""

from __future__ import annotations

import re
import socket
from collections.abc import Collection
from ipaddress import IPv4Address, IPv6Address, ip_address

import psutil

from tacit.core.errors import BadInput
from tacit.node.store.database import Store

MAX_ADDRESSES = 16
MAX_LENGTH = 120
"""Characters of one address."""
_RELAY = re.compile(r"https?://(?:[a-zA-Z0-9.-]{1,90}|\[[0-9a-fA-F:]{2,45}\])(?::\d{1,5})?/?")
_IROHS_OWN = re.compile(r"https://[a-z0-9-]{1,30}\.relay\.n0\.iroh\.link\.?/?")
_ALLOWED = "https://HOST[:PORT]/, or default for those that iroh comes with"


def is_relay(address: str) -> bool:
    """Whether a text names a relay, rightly or not; all others are IP:port."""
    return address.startswith("http")


def is_good(address: str) -> bool:
    """Whether a text is a relay's URL or an IP address and a port. Only a relay has a name."""
    if len(address) > MAX_LENGTH:
        return False
    if is_relay(address):
        return _RELAY.fullmatch(address) is not None
    host, _, port = address.rpartition(":")
    if not (port.isascii() and port.isdigit() and 0 < int(port) < 65536):
        return False
    try:
        if host.startswith("[") and host.endswith("]"):
            IPv6Address(host[1:-1])
        else:
            IPv4Address(host)
    except ValueError:
        return False
    return True


def good_addresses(addresses: tuple[str, ...]) -> tuple[str, ...]:
    """Those that are good, not too many."""
    return tuple(address for address in addresses if is_good(address))[:MAX_ADDRESSES]


def told_addresses(addresses: tuple[str, ...], relays: Collection[str]) -> tuple[str, ...]:
    """Good ones of those that somebody says they have. Of relays only these: nobody may make us contact any host.

    An empty text among them stands for the relays that iroh comes with.
    """
    return tuple(
        address
        for address in good_addresses(addresses)
        if not is_relay(address)
        or address in relays
        or ("" in relays and _IROHS_OWN.fullmatch(address) is not None)
    )


def checked_relay(url: str) -> str:
    """The URL of an own relay as it is stored, empty for `default`; BadInput where it is none."""
    if url in ("", "default"):
        return ""
    if not (is_relay(url) and is_good(url)):
        raise BadInput("relay", got=url, allowed=_ALLOWED)
    return url if url.endswith("/") else url + "/"


def own_ips() -> list[IPv4Address | IPv6Address]:
    """IP addresses of this computer that others may reach it at, IPv4 first; neither loopback nor link-local ones."""
    up = {name for name, facts in psutil.net_if_stats().items() if facts.isup}
    texts = [
        one.address.partition("%")[0]
        for name, found in psutil.net_if_addrs().items()
        for one in found
        if name in up and one.family in (socket.AF_INET, socket.AF_INET6)
    ]
    ips = {ip_address(text) for text in texts}
    kept = [ip for ip in ips if not (ip.is_loopback or ip.is_link_local or ip.is_unspecified)]
    return sorted(kept, key=lambda ip: (ip.version, int(ip)))


def own_addresses(port: int) -> tuple[str, ...]:
    """Where a node of this computer can be reached that listens on a port; loopback last, for nodes beside it."""
    ips = [*own_ips()[: MAX_ADDRESSES - 3], IPv4Address("127.0.0.1"), IPv6Address("::1")]
    return tuple(f"{ip}:{port}" if ip.version == 4 else f"[{ip}]:{port}" for ip in ips)


def reachable_at(store: Store) -> tuple[str, ...]:
    """The addresses to put into an invitation: those of the running node, or those it will have when it starts."""
    now = store.setting("addresses") if store.is_running() else None
    if now:
        return tuple(now)
    relay = store.setting("relay", "")
    return (*own_addresses(store.setting("port")), *([relay] if relay else []))
