"""Everything a person can do with a node: rate, recommend, share, invite. Called by the command line and the page.

Everything goes through the store, so it works the same whether the node runs or not: a running node notices within a
second what another process wrote. Any thread may call.

    service = Service(home)
    service.rate("film:t:night ferry:2010", 4.5)
    service.recommend(10)
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from tacit.core.errors import BadInput
from tacit.node.catalogue.item_keys import display_title, key_fault, row_id
from tacit.node.export_ratings import write_ratings
from tacit.node.network.invitations import DAYS, Ticket, new_secret, read_ticket, write_ticket
from tacit.node.push_sum.sum_rules import MEMBERS
from tacit.node.store.contacts import Contacts
from tacit.node.store.database import Store
from tacit.node.store.ledger import Ledger
from tacit.node.store.problem_log import ProblemLog
from tacit.node.store.ratings import RatingStore
from tacit.node.store.records import Item, Peer, Preview, Rating, Recommendation, Sharing, Status

if TYPE_CHECKING:
    from tacit.node.exchange.gossip_learner import GossipLearner
    from tacit.node.peer_compatibility import LiveRules
    from tacit.node.push_sum.sum_learner import SumLearner


class Service:
    """One node, as its owner uses it. `ledger` lists what left, `problem_log` what went wrong."""

    def __init__(self, home: Path) -> None:
        self.store = Store(home)
        self.rating_store, self.contacts = RatingStore(self.store), Contacts(self.store)
        self.ledger, self.problem_log = Ledger(self.store), ProblemLog(self.store)
        self.problem = ""
        """Set by a node that runs in this process: why nothing is sent."""
        self._kept: tuple[int, GossipLearner | SumLearner] | None = None

    def close(self) -> None:
        """Let go of the store."""
        self.store.close()

    def status(self) -> Status:
        """How the node is."""
        setting = self.store.setting
        return Status(
            id=setting("id"),
            name=setting("name"),
            model=setting("model"),
            cluster=setting("cluster"),
            running=self.store.is_running(),
            ratings=self.rating_store.count(),
            rows_known=setting("rows_known", 0),
            peers=self.contacts.peers(),
            sent=self.ledger.sent(),
            received=self.ledger.received(),
            sharing=self.sharing(),
        )

    # Ratings and recommendations

    def rate(self, key: str, value: float, title: str = "", person: str = "") -> None:
        """Rate an item from 1 to 5; on disk when this returns."""
        self.rating_store.rate([Rating(key, title, value=value, time=int(time.time()), person=person)])

    def add(self, ratings: Iterable[Rating]) -> int:
        """Keep imported ratings, all or none; how many were new or changed."""
        return self.rating_store.rate(ratings)

    def unrate(self, key: str, person: str = "") -> None:
        """Delete a rating."""
        self.rating_store.unrate(key, person)

    def ratings(self, person: str | None = None) -> list[Rating]:
        """Everything that was said about items."""
        return self.rating_store.ratings(person)

    def search(self, text: str, n: int = 20) -> list[Item]:
        """Items by words of their titles."""
        return self.rating_store.search(text, n)

    def find(self, text: str) -> Item:
        """The one item that a person means: by key, by an id of their own, or by words of its title."""
        for key in (text, f"csv:{text}"):
            if not key_fault(key):
                known = self.rating_store.item(row_id(key))
                if known is not None or key == text:
                    return known or Item(key, display_title(key), row_id(key))
        found = self.rating_store.search(text, 4)
        same = [item for item in found if item.title.casefold() == text.casefold()]
        if len(same or found) == 1:
            return (same or found)[0]
        some = "; ".join(f"{item.title} = {item.key}" for item in found)
        raise BadInput(
            "item", got=text, allowed=f"one of: {some}" if found else "a key or a title that is known"
        )

    def recommend(self, n: int = 10, person: str = "") -> list[Recommendation]:
        """The n best items the person has not met, from the model as last saved."""
        from tacit.node.recommend import recommend

        return recommend(self._learner(), self.rating_store, self.rating_store.ratings(person), n)

    def people(self) -> list[str]:
        """The people whose ratings a cluster node holds; a plain node has one person without a name."""
        return self.rating_store.people() or [""]

    @cached_property
    def _rules(self) -> LiveRules:
        from tacit.node.peer_compatibility import rules_of

        return rules_of(self.store.setting("model"), self.store.setting("seed"), 1.0)

    def _learner(self) -> GossipLearner | SumLearner:
        """The model as last saved, cached until there is a newer one."""
        from tacit.node.assemble import saved_model

        # Before the model is read: if another is saved in between, the next call reads again.
        saves = self.store.saves()
        if self._kept is None or self._kept[0] != saves:
            self._kept = saves, saved_model(self.store, self._rules)
        return self._kept[1]

    # Sharing

    def sharing(self) -> Sharing:
        """What was decided about sharing."""
        setting = self.store.setting
        problem = self.problem or self._too_few()
        return Sharing(setting("disclosure"), setting("paused"), setting("open"), problem)

    def _too_few(self) -> str:
        """Why a node that exchanges sums waits: it knows fewer others than its rules ask for."""
        if self.store.setting("model") != "ials":
            return ""
        count = len(
            [peer for peer in self.contacts.peers() if not peer.secret and (peer.allowed or peer.open)]
        )
        if count >= MEMBERS - 1:
            return ""
        return f"at least {MEMBERS - 1} others must be known here, now {count}"

    def set_sharing(
        self,
        *,
        disclosure: float | None = None,
        paused: bool | None = None,
        open: bool | None = None,  # noqa: A002
    ) -> Sharing:
        """Change some of it; a running node follows within a second."""
        if disclosure is not None and not 0 <= disclosure <= 1:
            raise BadInput("disclosure", got=disclosure, allowed="a number from 0 to 1")
        given = {"disclosure": disclosure, "paused": paused, "open": open}
        self.store.set(**{name: value for name, value in given.items() if value is not None})
        return self.sharing()

    def preview(self) -> Preview:
        """The next message, row by row, as it would leave now."""
        from tacit.node.assemble import agent_of

        agent = agent_of(self.store, self._rules)
        names, size = agent.preview()
        rated = agent.is_rated(names)
        known = self.rating_store.items(int(name) for name in names)
        titles = [known[name].title if name in known else f"row {name:016x}" for name in names.tolist()]
        return Preview(
            rows=len(names),
            rows_rated=int(rated.sum()),
            bytes=size,
            disclosure=agent.disclosure,
            items=list(zip(titles, rated.tolist(), strict=True)),
        )

    # Peers

    def peers(self) -> list[Peer]:
        """All known peers."""
        return self.contacts.peers()

    def invite(self) -> str:
        """A ticket that lets one other node join, within a week."""
        secret = new_secret()
        self.contacts.invite(secret, time.time() + DAYS * 86_400)
        port = self.store.setting("port")
        addresses = self.store.setting("addresses") or [f"127.0.0.1:{port}", f"[::1]:{port}"]
        return write_ticket(Ticket(self.store.setting("id"), tuple(addresses), secret))

    def join(self, ticket: str) -> Peer:
        """Accept an invitation: a running node, or the next start, says hello."""
        given = read_ticket(ticket)
        if given.id == self.store.setting("id"):
            raise BadInput("ticket", got="this node's own", allowed="an invitation of somebody else's")
        known = self.contacts.peer(given.id) or Peer(given.id)
        peer = replace(known, addresses=given.addresses, allowed=True, secret=given.secret, problem="")
        self.contacts.save(peer)
        return peer

    def remove_peer(self, peer: str) -> None:
        """Remove a peer. It can come back with the invitation of this node that it used, if it used one."""
        self.contacts.remove(peer)

    # All of it

    def export(self, file: Path) -> int:
        """Write all ratings as csv, which `tacit node import csv` reads again; how many."""
        return write_ratings(file, self.rating_store.ratings())

    def forget(self) -> None:
        """Delete everything: ratings, model, ledger, identity. Refused while the node runs."""
        if self.store.is_running():
            raise BadInput("node", got="it is running", allowed="stop it first, then forget")
        self.store.erase()
