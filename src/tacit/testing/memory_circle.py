"""A circle of real agents and stores over a network in memory, in virtual time: for tests and benchmarks.

people = MemoryCircle(folder)
ana = people.add("Ana", ["film:t:night ferry:2010"])       the first is the host
bo = people.add("Bo", ["film:t:salt road:1998"])
people.run([Session("Ana", 0, 60), Session("Bo", 30, 60)])
bo.circle.likes()
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path

from tacit.node.circle.agent import CircleAgent
from tacit.node.circle.likes import NOTHING, Choice
from tacit.node.circle.runtime import CircleRuntime
from tacit.node.network.presence import Presence
from tacit.node.network.transport import Transport
from tacit.node.service import Service
from tacit.node.store.database import Store
from tacit.node.store.records import Rating
from tacit.testing.in_memory_network import MemoryNetwork
from tacit.testing.virtual_time import run_virtual

ALL = Choice(all=True)
__all__ = ["ALL", "NOTHING", "MemoryCircle", "Session", "make_member"]


@dataclass(frozen=True, slots=True)
class Session:
    """Somebody's node runs from one virtual second to another."""

    name: str
    start: float
    end: float


def make_member(home: Path, name: str, likes: Iterable[str] = (), **settings: object) -> Service:
    """A node with a key made from its name; it is in no circle yet."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    secret = blake2b(name.encode(), digest_size=32).digest()
    me = Ed25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw().hex()
    store = Store.create(home)
    store.set(
        **{
            "id": me, "secret": secret.hex(), "seed": 7, "name": name, "model": "", "cluster": False, "port": 20_000,
            "disclosure": 1.0, "paused": False, "open": False, **settings,
        }
    )  # fmt: skip
    store.close()
    service = Service(home)
    # What survives a power cut is tested elsewhere; here nobody waits for the disk.
    service.store.read("PRAGMA synchronous = OFF")
    service.rating_store.rate(Rating(key, "", value=5.0) for key in likes)
    return service


@dataclass
class MemoryCircle:
    """People who use the host's link and share all they like."""

    home: Path
    poll: float = 1.0
    network: MemoryNetwork = field(default_factory=MemoryNetwork)
    people: dict[str, Service] = field(default_factory=dict)
    addresses: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Where people's nodes say they can be reached."""
    wall: float = 1_000_000_000.0
    """The time of day at the virtual second 0."""

    def add(self, name: str, likes: Iterable[str] = (), share: Choice = ALL) -> Service:
        """One more person, who made the circle or has its link."""
        service = make_member(self.home / name, name, likes)
        if self.people:
            host = next(iter(self.people.values()))
            service.circle.join(host.circle.link(days=90).text)
        else:
            service.circle.create("Friends")
        service.circle.share(share)
        self.people[name] = service
        return service

    def id_of(self, name: str) -> str:
        """A person's member id."""
        return str(self.people[name].store.setting("id"))

    def run(
        self,
        sessions: Sequence[Session],
        watch: Callable[[float], None] = lambda now: None,
        every: float = 60.0,
    ) -> None:
        """Let nodes run in their sessions; `watch` is called every so many seconds."""
        end = max(session.end for session in sessions)

        async def look() -> None:
            loop = asyncio.get_running_loop()
            while loop.time() < end:
                watch(loop.time())
                await asyncio.sleep(every)

        async def everybody() -> None:
            looking = asyncio.create_task(look())
            await asyncio.gather(*(self._session(session) for session in sessions))
            looking.cancel()

        run_virtual(everybody())
        watch(end)
        self.wall += end

    async def _session(self, session: Session) -> None:
        """A node as `tacit node start` runs it: silent while alone or paused."""
        loop = asyncio.get_running_loop()
        await asyncio.sleep(session.start)
        service, stop = Service(self.people[session.name].store.home), asyncio.Event()
        service.store.read("PRAGMA synchronous = OFF")
        runtimes: list[CircleRuntime] = []

        async def open_transport() -> Transport:
            transport = self.network.join(str(service.store.setting("id")))
            transport.addresses = self.addresses.get(session.name, ())
            return transport

        async def exchange(transport: Transport, end: asyncio.Event) -> None:
            agent = CircleAgent(
                service.store, addresses=transport.addresses, wall=lambda: self.wall + loop.time()
            )
            runtimes.append(CircleRuntime(agent, transport, poll=self.poll))
            await runtimes[-1].run(end)

        async def last_words(transport: Transport) -> None:
            await runtimes[-1].say_goodbye()

        presence = Presence(service.is_silent, open_transport, exchange, last_words, look=self.poll)
        running = asyncio.create_task(presence.run(stop))
        await asyncio.sleep(session.end - session.start)
        stop.set()
        try:
            await running
        finally:
            service.close()

    def lists_heard(self) -> dict[tuple[str, str], int]:
        """Versions of lists by who has them and whose they are."""
        names = {self.id_of(name): name for name in self.people}
        return {
            (name, names[member]): version
            for name, service in self.people.items()
            if service.is_in_circle()
            for member, version in service.circle.replica.lists.versions().items()
        }

    def bytes_sent(self) -> dict[str, int]:
        """Bytes that each person's node sent, answers included."""
        names = {self.id_of(name): name for name in self.people}
        sent = dict.fromkeys(self.people, 0)
        for sender, _, data in self.network.wire:
            sent[names[sender]] += len(data)
        return sent
