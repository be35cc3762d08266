"""Circles for tests: nodes with real keys, in folders of their own, that compare their replicas without a network."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import count
from pathlib import Path

import pytest

pytest.importorskip("cryptography", reason="cryptography is not installed")

from tacit.node.circle import keys
from tacit.node.circle.replica import Replica
from tacit.node.network.circle_messages import Sync
from tacit.node.service import Service
from tacit.testing.memory_circle import ALL, make_member


def film(name: str) -> str:
    return f"film:t:{name}:2001"


def films(*names: str) -> list[str]:
    return [film(name) for name in names]


def same_keys(seed: int) -> pytest.MonkeyPatch:
    """Keys that are always the same, so that hashes of rosters are, too."""
    patch, number = pytest.MonkeyPatch(), count()
    patch.setattr(
        keys, "new_key", lambda: blake2b(f"{seed} {next(number)}".encode(), digest_size=keys.KEY).digest()
    )
    patch.setattr(keys, "new_id", lambda: bytes(16))
    return patch


@dataclass
class Friends:
    """A circle whose host is the first; the others are let in at once, and everybody shares everything."""

    home: Path
    people: dict[str, Service] = field(default_factory=dict)
    now: int = 0

    def add(self, name: str, *likes: str) -> Service:
        service = self.people[name] = make_member(self.home / name, name, films(*likes))
        host = next(iter(self.people.values()))
        if service is host:
            service.circle.create("Friends")
        else:
            service.circle.join(host.circle.link().text)
            self.let_in(host, service)
        service.circle.share(ALL)
        service.circle.publish()
        return service

    def let_in(self, host: Service, guest: Service) -> None:
        """What a hello with the link's secret does."""
        me = guest.store.setting("id")
        secret = next(peer.secret for peer in guest.contacts.peers() if peer.secret)
        assert host.contacts.accept(secret, me, 1.0) == ""
        host.circle.replica.admit(me)
        self.meet(guest, host)

    def meet(self, one: Service, other: Service) -> list[Sync]:
        """Both compare and carry until there is nothing to say; everything that was said."""
        a, b = one.circle.replica, other.circle.replica
        said = [a.greeting()]
        for _ in range(20):
            said.append(self._answer(b, a.me, said[-1]))
            got = said[-1]
            said.append(self._answer(a, b.me, got))
            stuck = len(said) > 3 and said[-1] == said[-3]
            if stuck or (not said[-1].carries and not a.lacks(got)):
                return said
        raise AssertionError("they never end")

    def _answer(self, replica: Replica, peer: str, got: Sync) -> Sync:
        self.now += 60_000_000
        replica.take(got, self.now)
        return replica.offer(peer, got)
