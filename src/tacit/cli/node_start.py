"""`tacit node start`: the node, in the foreground, until Ctrl-C or SIGTERM."""

from __future__ import annotations

import asyncio
import signal
from contextlib import suppress
from pathlib import Path

from tacit.cli.node import first_line
from tacit.cli.output import say
from tacit.hosts.live.agent import Agent
from tacit.hosts.live.iroh_transport import IrohTransport
from tacit.hosts.live.models import rules_of
from tacit.hosts.live.node import Node
from tacit.hosts.live.store import Store
from tacit.hosts.live.warming import warm_up


def run_node(home: Path, *, port: int | None, every: float, relay: bool, paused: bool, as_json: bool) -> None:
    """Run it; one process a folder."""
    store = Store(home)
    try:
        with store.running():
            if port is not None:
                store.set(port=port)
            if paused:
                store.set(paused=True)
            asyncio.run(_run(store, every, relay, as_json))
    finally:
        store.close()


async def _run(store: Store, every: float, relay: bool, as_json: bool) -> None:
    stop = asyncio.Event()
    _on_signals(stop)
    setting = store.setting
    transport = await IrohTransport.open(bytes.fromhex(setting("secret")), setting("port"), relay=relay)
    try:
        store.set(addresses=list(transport.addresses))
        facts = {"id": setting("id"), "page": None, "addresses": list(transport.addresses)}
        first_line(facts, as_json)
        rules = rules_of(setting("model"), setting("seed"), every)
        # After an update of tacit this compiles for some seconds; the network must not wait for it.
        await asyncio.to_thread(warm_up, rules)
        agent = Agent(store, rules)
        if not as_json:
            say(_sharing(agent))
    except BaseException:
        await transport.close()
        raise
    await Node(agent, transport, say=say).run(stop)
    if not as_json:
        say("Stopped. Everything is saved.")


def _sharing(agent: Agent) -> str:
    if agent.paused:
        return "Paused: nothing is sent. tacit node resume shares."
    count = len(agent.crowd.peers)
    people = f"{count} {'person' if count == 1 else 'people'}"
    return f"Sharing with {people}: {agent.disclosure:.0%} of your ratings take part. Ctrl-C stops."


def _on_signals(stop: asyncio.Event) -> None:
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        try:
            loop.add_signal_handler(number, stop.set)
        except NotImplementedError:  # Windows
            with suppress(ValueError):
                signal.signal(number, lambda *_: loop.call_soon_threadsafe(stop.set))
