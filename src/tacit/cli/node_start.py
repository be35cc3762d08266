"""`tacit node start`: the node and its page, in the foreground, until Ctrl-C or SIGTERM."""

from __future__ import annotations

import asyncio
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from tacit.cli.console import emit, say
from tacit.cli.node_options import OFFER
from tacit.node.service import Service
from tacit.web.server import open_page

if TYPE_CHECKING:
    from tacit.node.agent import Agent
    from tacit.node.network.transport import Transport

_LOOK = 1.0
"""Seconds between looks at whether a node is still alone."""


def run_node(home: Path, *, port: int | None, every: float, relay: bool, paused: bool, as_json: bool) -> None:
    """Run the node. A folder has one process at most."""
    service = Service(home)
    running = _Running(service, every, relay, as_json)
    try:
        with service.store.running():
            if port is not None:
                service.store.set(port=port)
            if paused:
                service.set_sharing(paused=True)
            service.rating_store.verify()  # before anything starts
            service.back_up()
            if not as_json:
                _offer(service)
            asyncio.run(running.run())
        if running.forget:
            service.forget()
            say("Everything is deleted.")
    finally:
        service.close()


class _Running:
    """One run of a node."""

    def __init__(self, service: Service, every: float, relay: bool, as_json: bool) -> None:
        self._service, self._every, self._relay, self._as_json = service, every, relay, as_json
        self._agent: Agent | None = None
        self.forget = False
        """Whether the person asked the page to delete everything."""

    async def run(self) -> None:
        """Show the page, listen unless alone, tell where, and go on until asked to stop."""
        stop, service = asyncio.Event(), self._service
        _on_signals(stop)
        loop = asyncio.get_running_loop()

        def forget() -> None:
            self.forget = True
            loop.call_soon_threadsafe(stop.set)

        alone = service.mode() == "alone"
        transport = None if alone else await self._open_transport()
        try:
            page = open_page(service, forget=forget)
            self._tell(page.address, () if transport is None else transport.addresses)
            serving = asyncio.create_task(page.run(stop))
            if alone:
                await self._alone(stop)
            if not stop.is_set():
                transport = transport or await self._open_transport()
                await self._exchange(stop, transport)
            await serving
        finally:
            stop.set()
            if transport is not None:
                await transport.close()
        if not self._as_json:
            say("Stopped. Everything is saved.")

    async def _alone(self, stop: asyncio.Event) -> None:
        """Until asked to stop, or until the person invites or joins somebody. Nothing but the page is there."""
        if not self._as_json:
            say("Alone: nothing is sent. Ctrl-C stops.")
        while not stop.is_set() and self._service.mode() == "alone":
            with suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), _LOOK)

    async def _open_transport(self) -> Transport:
        from tacit.node.network.iroh_transport import IrohTransport

        store = self._service.store
        secret = bytes.fromhex(store.setting("secret"))
        transport = await IrohTransport.open(secret, store.setting("port"), relay=self._relay)
        store.set(addresses=list(transport.addresses))
        return transport

    async def _exchange(self, stop: asyncio.Event, transport: Transport) -> None:
        """Exchange with others until asked to stop."""
        from tacit.node.assemble import agent_of
        from tacit.node.peer_compatibility import rules_of
        from tacit.node.runtime import NodeRuntime
        from tacit.node.warmup import prepare

        setting = self._service.store.setting
        # The node has a connection of its own: what the page writes comes to it as from any other process.
        own = Service(self._service.store.home)
        try:
            rules = rules_of(setting("model"), setting("seed"), self._every)
            # After an update of tacit this compiles for some seconds; the network must not wait for it.
            await asyncio.to_thread(prepare, rules)
            self._agent = agent = agent_of(own.store, rules)
            if not self._as_json:
                say(_sharing(agent))
            await NodeRuntime(agent, transport, say=self._line).run(stop)
        finally:
            stop.set()
            own.close()

    def _tell(self, page: str, addresses: tuple[str, ...]) -> None:
        """The first line: who and where."""
        facts = {"id": self._service.store.setting("id"), "page": page, "addresses": list(addresses)}
        if self._as_json:
            emit(facts)
            sys.stdout.flush()
            return
        say(f"Your page: {page}")
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
    if service.mode() != "alone":
        say("This node exchanges a model. Suggestions from a start need nobody else: tacit node mode alone")


def _sharing(agent: Agent) -> str:
    if agent.paused:
        return "Paused: nothing about your ratings is sent. tacit node resume shares."
    count = len(agent.peers.known)
    people = f"{count} {'person' if count == 1 else 'people'}"
    return (
        f"Sharing with {people}: {agent.disclosure:.0%} of your ratings take part from now on. Ctrl-C stops."
    )


def _on_signals(stop: asyncio.Event) -> None:
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        try:
            loop.add_signal_handler(number, stop.set)
        except NotImplementedError:  # Windows
            with suppress(ValueError):
                signal.signal(number, lambda *_: loop.call_soon_threadsafe(stop.set))
