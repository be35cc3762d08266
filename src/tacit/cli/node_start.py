"""`tacit node start`: the node and its page, in the foreground, until Ctrl-C or SIGTERM."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tacit.cli.console import emit, say
from tacit.cli.node_options import ALONE, OFFER, PAUSED, SWITCH
from tacit.node.network.presence import Presence
from tacit.node.service import Service
from tacit.node.store.database import StoreFull
from tacit.web.server import open_page

if TYPE_CHECKING:
    from tacit.node.agent import Agent
    from tacit.node.circle.agent import CircleAgent
    from tacit.node.circle.runtime import CircleRuntime
    from tacit.node.network.iroh_transport import IrohTransport
    from tacit.node.network.transport import Transport

_NOTE = 30.0
"""Seconds between looks at what the network library counts."""


@dataclass(frozen=True, slots=True)
class StartOptions:
    """What `tacit node start` was told."""

    port: int | None = None
    every: float = 15.0
    relay: str | None = None
    """Another relay from now on; None: the one that is set."""
    no_relay: bool = False
    local: bool = True
    """Whether to announce the node on the local network and to look for others there."""
    paused: bool = False
    plain_page: bool = False
    as_json: bool = False


def run_node(home: Path, options: StartOptions) -> None:
    """Run the node. A folder has one process at most."""
    from tacit.node.network.addresses import checked_relay

    relay = None if options.relay is None else checked_relay(options.relay)
    service = Service(home)
    running = _Running(service, options)
    try:
        with service.store.running():
            service.store.set(addresses=[], started={"relay": not options.no_relay, "local": options.local})
            if options.port is not None:
                service.store.set(port=options.port)
            if relay is not None:
                service.store.set(relay=relay)
            if options.paused:
                service.set_sharing(paused=True)
            service.rating_store.verify()  # before anything starts
            service.back_up()
            if not options.as_json:
                _offer(service)
            asyncio.run(running.run())
        if running.forget:
            service.forget()
            say("Everything is deleted.")
    finally:
        service.close()


class _Running:
    """One run of a node."""

    def __init__(self, service: Service, options: StartOptions) -> None:
        self._service, self._options, self._as_json = service, options, options.as_json
        self._agent: Agent | CircleAgent | None = None
        self._in_circle: CircleRuntime | None = None
        self._transport: IrohTransport | None = None
        self.forget = False
        """Whether the person asked the page to delete everything."""

    async def run(self) -> None:
        """Show the page, listen unless alone or paused, tell where, and go on until asked to stop."""
        stop, service = asyncio.Event(), self._service
        _on_signals(stop)
        loop = asyncio.get_running_loop()

        def forget() -> None:
            self.forget = True
            loop.call_soon_threadsafe(stop.set)

        silent = service.is_silent()
        transport = None if silent else await self._open_transport()
        try:
            page = open_page(service, forget=forget, plain=self._options.plain_page)
            self._tell(page.address, () if transport is None else transport.addresses)
            serving = asyncio.create_task(page.run(stop))
            if silent and not self._as_json:
                say(f"{ALONE if service.mode() == 'alone' else PAUSED} Ctrl-C stops.")
            presence = Presence(service.is_silent, self._open_transport, self._exchange, self._last_words)
            await presence.run(stop, transport)
            await serving
        finally:
            stop.set()
            if transport is not None:
                await transport.close()
        if not self._as_json:
            say("Stopped. Everything is saved.")

    async def _open_transport(self) -> Transport:
        from tacit.node.network.iroh_transport import IrohTransport
        from tacit.node.network.local_discovery import LocalDiscovery

        service, setting = self._service, self._service.store.setting
        self._transport = transport = await IrohTransport.open(
            bytes.fromhex(setting("secret")),
            setting("port"),
            relay=None if self._options.no_relay else setting("relay", ""),
            knows=service.knows,
            hears_anybody=lambda: bool(setting("open")),
        )
        if self._options.local:
            transport.discovery = await LocalDiscovery.open(setting("id"), transport.port, self._found)
        service.store.set(addresses=list(transport.addresses))
        return transport

    def _found(self) -> None:
        """Somebody appeared on the local network: peers that are there need not wait for their next try."""
        if self._agent is None or self._transport is None or self._transport.discovery is None:
            return
        for peer in self._agent.peers.known:
            if self._transport.discovery.addresses_of(peer):
                self._agent.peers.retry(peer)

    async def _exchange(self, transport: Transport, end: asyncio.Event) -> None:
        """Exchange with others until asked to end."""
        from tacit.node.network.traffic_meter import TrafficMeter

        # The node has a connection of its own: what the page writes comes to it as from any other process.
        own = Service(self._service.store.home)
        assert self._transport is not None
        meter = TrafficMeter(self._service.ledger, self._transport.traffic)
        metering = asyncio.create_task(_every(_NOTE, meter.note))
        try:
            talk = self._share_lists if self._service.is_in_circle() else self._exchange_models
            await talk(own, transport, end)
        finally:
            metering.cancel()
            self._agent = self._in_circle = None
            own.close()
            await transport.close()
            meter.note()
            with suppress(StoreFull):
                self._service.store.set(addresses=[])
        if self._service.is_silent() and not self._as_json:
            say(ALONE if self._service.mode() == "alone" else PAUSED)

    async def _exchange_models(self, own: Service, transport: Transport, end: asyncio.Event) -> None:
        from tacit.node.assemble import agent_of
        from tacit.node.peer_compatibility import rules_of
        from tacit.node.runtime import NodeRuntime
        from tacit.node.warmup import prepare

        setting = self._service.store.setting
        members = self._service.least_members()
        rules = rules_of(setting("model"), setting("seed"), self._options.every, members)
        # After an update of tacit this compiles for some seconds; neither the network nor the end waits for it.
        if not await _unless(end, asyncio.to_thread(prepare, rules)):
            return
        self._agent = agent = agent_of(own.store, rules)
        if not self._as_json:
            say(_sharing(agent))
        await NodeRuntime(agent, transport, say=self._line).run(end)

    async def _share_lists(self, own: Service, transport: Transport, end: asyncio.Event) -> None:
        from tacit.node.circle.agent import CircleAgent
        from tacit.node.circle.runtime import CircleRuntime

        self._agent = agent = CircleAgent(own.store, self._options.every, transport.addresses)
        if not self._as_json:
            say(_in_circle(own))
        self._in_circle = CircleRuntime(agent, transport, say=self._line)
        await self._in_circle.run(end)

    async def _last_words(self, transport: Transport) -> None:
        """A node in a circle that is paused tells the others that it shares nothing now."""
        if self._in_circle is not None:
            await self._in_circle.say_goodbye()

    def _tell(self, page: str, addresses: tuple[str, ...]) -> None:
        """The first line: who and where."""
        facts = {"id": self._service.store.setting("id"), "page": page, "addresses": list(addresses)}
        if self._as_json:
            emit(facts)
            sys.stdout.flush()
            return
        say(f"Your page: {page}")
        if not self._options.plain_page:
            say("If your browser does not find that name: tacit node start --plain-page")
        if addresses:
            say(f"Node {facts['id'][:10]} listens at {', '.join(addresses)}")

    def _line(self, line: str) -> None:
        """Something happened: for the terminal, and what keeps happening for the page."""
        self._service.problem = "" if self._agent is None else self._agent.problem
        say(f"tacit: {line}")


def _offer(service: Service) -> None:
    """What a node could do that has no start, or that still exchanges a model."""
    if service.suggestions.facts() is None:
        say(OFFER)
    if service.store.setting("model"):
        say(SWITCH)


async def _unless(end: asyncio.Event, work: Coroutine[None, None, object]) -> bool:
    """Wait for some work, but not longer than until the end; whether it was done."""
    working, ending = asyncio.ensure_future(work), asyncio.ensure_future(end.wait())
    await asyncio.wait({working, ending}, return_when=asyncio.FIRST_COMPLETED)
    ending.cancel()
    if working.done():
        working.result()
    return working.done()


async def _every(seconds: float, do: Callable[[], None]) -> None:
    while True:
        await asyncio.sleep(seconds)
        do()


def _sharing(agent: Agent) -> str:
    count = len(agent.peers.known)
    people = f"{count} {'person' if count == 1 else 'people'}"
    return (
        f"Sharing with {people}. The shared model learns from {100 * agent.disclosure:.0f} % of your ratings from "
        "now on. Ctrl-C stops."
    )


def _in_circle(service: Service) -> str:
    shared, others = service.circle.shared(), len(service.circle.replica.others())
    people = f"{others} other {'person' if others == 1 else 'people'}"
    state = service.circle.state
    if state is not None and (state.paused or state.leaving):
        return f"One last, empty list goes to your circle, {people}. Then nothing is sent."
    return (
        f"Circle {state.name if state else ''}, {people}: {len(shared.items):,} of your {shared.likes:,} likes are "
        "shared. Ctrl-C stops."
    )


def _on_signals(stop: asyncio.Event) -> None:
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        try:
            loop.add_signal_handler(number, stop.set)
        except NotImplementedError:  # Windows
            with suppress(ValueError):
                signal.signal(number, lambda *_: loop.call_soon_threadsafe(stop.set))
