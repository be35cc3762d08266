"""Checks of the way to others: library, port, addresses, local network, relay, people, circle."""

from __future__ import annotations

import errno
import socket
import time
from importlib.util import find_spec
from urllib.parse import urlsplit

from tacit.node.doctor.check import Check, attention, ok
from tacit.node.network.addresses import own_ips
from tacit.node.network.invitations import INSTALL
from tacit.node.service import Service

_PROBE = 3.0
"""Seconds to wait for a relay."""
_TRIED = 2
"""Relays that are asked."""
_GROUP, _MDNS = "224.0.0.251", 5353
_UNASKED = "Nothing was asked: the node is alone or paused, and sends nothing (--network asks)."


def library(service: Service) -> Check:
    """The extra `node`."""
    missing = [name for name in ("cryptography", "iroh", "zeroconf") if find_spec(name) is None]
    if missing:
        return attention("library", f"Not installed: {', '.join(missing)}.", INSTALL)
    return ok("library", "The network library is installed.")


def port(service: Service) -> Check:
    """The UDP port that invitations name."""
    number = service.store.setting("port")
    bound = service.store.setting("addresses") or []
    other = "tacit node start --port NUMBER, then new invitations"
    if service.store.is_running() and bound:
        if any(address.endswith(f":{number}") for address in bound):
            return ok("port", f"The node listens on UDP port {number}.")
        return attention("port", f"UDP port {number} is taken; the node listens on another.", other)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as trial:
        try:
            trial.bind(("0.0.0.0", number))
        except OSError as fault:
            if fault.errno not in (errno.EADDRINUSE, errno.EACCES):
                raise
            return attention("port", f"UDP port {number} is taken by another program.", other)
    return ok("port", f"UDP port {number} is free; the node does not use it now.")


def addresses(service: Service) -> Check:
    """IP addresses that others may reach."""
    found = [str(ip) for ip in own_ips()]
    if not found:
        return attention(
            "addresses", "This computer has no network.", "connect it, if others should reach it"
        )
    private = all(ip.is_private for ip in own_ips())
    where = (
        "on its own network only, or through a relay" if private else "from outside, if the router lets them"
    )
    return ok("addresses", f"{', '.join(found[:4])}: others reach it {where}.")


def _is_off(service: Service, what: str) -> bool:
    """Whether the node runs, and was started without relays or without the local network."""
    return service.store.is_running() and not service.store.setting("started", {}).get(what, True)


def local_network(service: Service, asks: bool) -> Check:
    """Whether this computer can take part in mDNS."""
    if _is_off(service, "local"):
        return ok("local network", "Switched off for this start (--no-local).")
    if not asks:
        return ok("local network", _UNASKED)
    own = [str(ip) for ip in own_ips() if ip.version == 4]
    joined = [ip for ip in own if _joins(ip)]
    if not joined:
        return attention(
            "local network",
            "People on the same network are not found by themselves: no multicast.",
            f"let UDP port {_MDNS} through the firewall; invitations work without it",
        )
    return ok("local network", f"People you know are found on the network of {', '.join(joined[:3])}.")


def _joins(ip: str) -> bool:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as trial:
        try:
            trial.setsockopt(
                socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, socket.inet_aton(_GROUP) + socket.inet_aton(ip)
            )
        except OSError:
            return False
    return True


def relay(service: Service, asks: bool) -> Check:
    """Whether a relay answers."""
    own = service.store.setting("relay", "")
    if _is_off(service, "relay"):
        return ok("relay", "Switched off for this start (--no-relay).")
    if not asks:
        return ok("relay", _UNASKED)
    urls = [own] if own else _default_relays()
    for url in urls[:_TRIED]:
        if _answers(url):
            return ok("relay", f"{url} answers.")
    remedy = "check the internet connection" + (", or tacit node start --relay default" if own else "")
    name = f"{own} does not answer" if own else "None of iroh's relays answers"
    return attention("relay", f"{name}: people are reached by address or on the local network only.", remedy)


def _default_relays() -> list[str]:
    if find_spec("iroh") is None:
        return []
    from tacit.node.network.iroh_binding import load_iroh

    return sorted(load_iroh().RelayMode.default_mode().relay_map().urls())


def _answers(url: str) -> bool:
    parts = urlsplit(url)
    number = parts.port or (80 if parts.scheme == "http" else 443)
    try:
        with socket.create_connection(((parts.hostname or "").rstrip("."), number), timeout=_PROBE):
            return True
    except OSError:
        return False


def people(service: Service) -> Check:
    """Which people were heard, and when."""
    known = service.contacts.peers()
    if service.mode() == "alone":
        return ok("people", "This node is alone, and works alone.")
    if service.is_in_circle() and not known:
        return attention(
            "people", "Nobody else is in the circle yet.", "tacit node circle link, for your friends"
        )
    if not known:
        return attention("people", "Nobody is known yet.", "tacit node invite, or tacit node join TICKET")
    troubled = [peer for peer in known if peer.problem or peer.last_seen is None]
    if troubled:
        worst = troubled[0]
        name = worst.name or worst.id[:10]
        return attention(
            "people",
            f"{len(known) - len(troubled)} of {len(known)} are reached; {name} {_since(worst.last_seen)}"
            + (f" ({worst.problem})." if worst.problem else "."),
            "both nodes must run; if they moved far away, a new invitation has the new addresses",
        )
    latest = max(known, key=lambda peer: peer.last_seen or 0.0)
    return ok("people", f"{len(known)} of {len(known)} are reached; the last {_since(latest.last_seen)}.")


def circle(service: Service) -> Check:
    """Whose lists are here, and what is shared."""
    state = service.circle.state if service.is_in_circle() else None
    if state is None:
        return ok("circle", "In no circle: nobody sees what you like.")
    if state.leaving:
        return attention("circle", "The others do not know yet that you left.", "tacit node start, once")
    if state.waiting:
        return attention(
            "circle",
            f"The host of {state.name} has not let you in yet"
            + (f" ({state.problem})." if state.problem else "."),
            "both nodes must run; a link that ended or is used up has to be made anew by the host",
        )
    if state.refused:
        return attention(
            "circle",
            f"The host says that you are not in {state.name} any more.",
            "tacit node circle leave, then ask for a new link",
        )
    others = [one for one in service.circle.members() if not (one.is_me or one.removed_by or one.left)]
    missing = [one.name or one.id[:10] for one in others if one.titles is None]
    shared = service.circle.shared()
    who = f"{len(others)} {'other' if len(others) == 1 else 'others'}"
    says = f"{state.name}: {who}, {len(shared.items):,} of your {shared.likes:,} likes are shared."
    if missing:
        says += f" The list of {missing[0]} is not here yet."
        return attention("circle", says, "it comes when both run, or through any common friend")
    if not shared.items and shared.likes:
        return attention("circle", says, "tacit node circle share --all, if they may see what you like")
    return ok("circle", says)


def _since(seen: float | None) -> str:
    if seen is None:
        return "was never heard"
    minutes = max(0, int((time.time() - seen) / 60))
    if minutes < 120:
        return f"was heard {minutes} min ago"
    return (
        f"was heard {minutes // 60} h ago" if minutes < 48 * 60 else f"was heard {minutes // 1440} days ago"
    )
