"""`tacit node start`: the node and its page, in the foreground, until Ctrl-C or SIGTERM."""

from __future__ import annotations

import asyncio
import signal
import sys
from contextlib import suppress
from pathlib import Path

from tacit.cli.console import emit, say
from tacit.node.agent import Agent
from tacit.node.assemble import agent_of
from tacit.node.network.iroh_transport import IrohTransport
from tacit.node.peer_compatibility import rules_of
from tacit.node.runtime import NodeRuntime
from tacit.node.service import Service
from tacit.node.warmup import prepare
from tacit.web.server import open_page


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
        """Listen, tell where, and go on until asked to stop."""
        stop, store = asyncio.Event(), self._service.store
        _on_signals(stop)
        setting = store.setting
        secret = bytes.fromhex(setting("secret"))
        transport = await IrohTransport.open(secret, setting("port"), relay=self._relay)
        loop = asyncio.get_running_loop()

        def forget() -> None:
            self.forget = True
            loop.call_soon_threadsafe(stop.set)

        # The node has a connection of its own: what the page writes comes to it as from any other process.
        own = Service(store.home)
        try:
            store.set(addresses=list(transport.addresses))
            page = open_page(self._service, forget=forget)
            self._tell(page.address, transport.addresses)
            serving = asyncio.create_task(page.run(stop))
            rules = rules_of(setting("model"), setting("seed"), self._every)
            # After an update of tacit this compiles for some seconds; the network must not wait for it.
            await asyncio.to_thread(prepare, rules)
            self._agent = agent = agent_of(own.store, rules)
            if not self._as_json:
                say(_sharing(agent))
            await NodeRuntime(agent, transport, say=self._line).run(stop)
            await serving
        finally:
            stop.set()
            await transport.close()
            own.close()
        if not self._as_json:
            say("Stopped. Everything is saved.")

    def _tell(self, page: str, addresses: tuple[str, ...]) -> None:
        """The first line: who and where."""
        facts = {"id": self._service.store.setting("id"), "page": page, "addresses": list(addresses)}
        if self._as_json:
            emit(facts)
            sys.stdout.flush()
            return
        say(f"Your page: {page}")
        say(f"Node {facts['id'][:10]} listens at {', '.join(addresses)}")

    def _line(self, line: str) -> None:
        """Something happened: for the terminal, and what keeps happening for the page."""
        self._service.problem = "" if self._agent is None else self._agent.problem
        say(f"tacit: {line}")


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
