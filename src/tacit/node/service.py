"""Everything a person can do with a node: rate, recommend, share, invite. Called by the command line and the page.

Everything goes through the store, so it works the same whether the node runs or not. A running node notices within a
second what another process wrote. Any thread may call.

    service = Service(home)
    service.rate("film:t:night ferry:2010", 4.5)
    service.recommend(10)
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from tacit.core.errors import BadInput
from tacit.node import backups
from tacit.node.catalogue.item_keys import kind_of
from tacit.node.choose_list import NOBODY
from tacit.node.export_ratings import write_ratings
from tacit.node.importers.build_ratings import outranks
from tacit.node.network.addresses import is_relay, reachable_at
from tacit.node.network.invitations import Ticket, new_secret, read_ticket, write_ticket
from tacit.node.push_sum.sum_rules import CROWD, MEMBERS
from tacit.node.store.changes import Changes
from tacit.node.store.circles import NAME as CIRCLE
from tacit.node.store.contacts import VALID, Contacts
from tacit.node.store.database import Store, StoreFull
from tacit.node.store.ledger import Ledger
from tacit.node.store.problem_log import ProblemLog
from tacit.node.store.ratings import RatingStore
from tacit.node.store.records import (
    CircleLikes,
    Item,
    Mode,
    Peer,
    Preview,
    Rating,
    Recommendation,
    Sharing,
    Signal,
    Status,
    Wish,
)
from tacit.node.store.visits import VISIT
from tacit.node.suggestions import Suggestions

if TYPE_CHECKING:
    from tacit.node.circle.circle import Circle
    from tacit.node.exchange.gossip_learner import GossipLearner
    from tacit.node.peer_compatibility import LiveRules
    from tacit.node.push_sum.sum_learner import SumLearner

FROM_CIRCLE = 6
"""Titles that are shown because only the circle knows them."""


class Service:
    """One node, as its owner uses it.

    `suggestions` holds the start and makes lists; `ledger` says what left, `problem_log` what went wrong.
    """

    def __init__(self, home: Path) -> None:
        self.store = Store(home)
        self.rating_store, self.contacts = RatingStore(self.store), Contacts(self.store)
        self.ledger, self.problem_log = Ledger(self.store), ProblemLog(self.store)
        self.problem = ""
        """Set by a node that runs in this process: why nothing is sent."""
        self.changes = Changes(self.store, self.rating_store)
        self.suggestions = Suggestions(self.store, self.rating_store)
        self._kept: tuple[int, GossipLearner | SumLearner] | None = None

    def close(self) -> None:
        """Let go of the store."""
        self.store.close()

    def status(self) -> Status:
        """How the node is."""
        setting, start = self.store.setting, self.suggestions.facts()
        return Status(
            id=setting("id"),
            name=setting("name"),
            model=setting("model"),
            cluster=setting("cluster"),
            running=self.store.is_running(),
            ratings=self.rating_store.count(),
            rows_known=max(int(setting("rows_known", 0)), 0 if start is None else start.items),
            peers=self.contacts.peers(),
            sent=self.ledger.sent(),
            received=self.ledger.received(),
            sharing=self.sharing(),
            mode=self.mode(),
            start=start,
        )

    @cached_property
    def circle(self) -> Circle:
        """The circle: create, link, join, members, share, remove, leave."""
        from tacit.node.circle.circle import Circle

        return Circle(self.store, self.rating_store)

    def is_in_circle(self) -> bool:
        """Whether this node is in a circle, or still has to tell one that it leaves."""
        return self.store.setting(CIRCLE) is not None

    def mode(self) -> Mode:
        """Whom this node tells what: nobody, friends, or many people by sums."""
        if self.is_in_circle():
            return "circle"
        model = self.store.setting("model")
        return "alone" if not model else "crowd" if model == "ials" else "circle"

    def be_alone(self) -> None:
        """Exchange nothing from now on; what others have heard cannot be called back. Ratings and start stay."""
        if self.is_in_circle():
            raise BadInput(
                "mode", got="in a circle", allowed="tacit node circle leave, which tells the others"
            )
        if self.store.is_running() and self.mode() != "alone":
            raise BadInput("node", got="it is running", allowed="stop it first")
        self.store.set(model="", addresses=[])

    # Ratings and recommendations

    def rate(self, key: str, value: float, title: str = "", person: str = "") -> int:
        """Rate an item from 1 to 5; on disk when this returns. The number to undo it by."""
        return self._change(Rating(key, title, value=value, time=int(time.time()), person=person))

    def say(self, key: str, signal: Signal, title: str = "", person: str = "") -> int:
        """Say about an item that it is `seen`, `disliked` (not for me), `want` or `liked`. The number to undo it by."""
        return self._change(Rating(key, title, signal, time=int(time.time()), person=person))

    def unrate(self, key: str, person: str = "") -> int:
        """Delete a rating. The number to undo it by."""
        return self._change(Rating(key, "", "seen", person=person), remove=True)

    def undo(self, person: str = "", number: int | None = None) -> Rating | None:
        """Undo the last of these actions, or one by its number; the item's rating as it is now."""
        return self.changes.undo(person, number)

    def _change(self, rating: Rating, *, remove: bool = False) -> int:
        number = self.changes.make(rating, remove=remove)
        self.back_up()
        return number

    def add(self, ratings: Iterable[Rating]) -> int:
        """Keep imported ratings, all or none; how many were new or changed. What is stored and worth more stays."""
        with self.store.transaction():
            known = {(rating.person, rating.key): rating for rating in self.rating_store.as_they_are()}
            fresh = [
                rating
                for rating in ratings
                if (before := known.get((rating.person, rating.key))) is None or not outranks(before, rating)
            ]
            changed = self.rating_store.rate(fresh)
        self.back_up(again=changed > 0)
        return changed

    def back_up(self, *, again: bool = False) -> Path | None:
        """Write today's backup of all ratings; only `again`, if there is one. Raises Damaged where ratings are."""
        home, today = self.store.home, date.today()
        if not again and any(backup.day == today.isoformat() for backup in backups.backups(home)):
            return None
        try:
            return backups.back_up(home, self.rating_store.ratings(), today)
        except OSError as problem:
            line = f"no backup of ratings could be written today: {problem.strerror}"
            with suppress(StoreFull):  # the same disk
                self.problem_log.add("", line, time.monotonic_ns() // 1_000)
            return None

    def ratings(self, person: str | None = None) -> list[Rating]:
        """Everything that was said about items."""
        return self.rating_store.ratings(person)

    def search(self, text: str, n: int = 20) -> list[Item]:
        """Items by words of their titles."""
        return self.suggestions.search(text, n, self._friends())

    def find(self, text: str) -> Item:
        """The one item that a person means: by key, by an id of their own, or by words of its title."""
        return self.suggestions.find(text, self._friends())

    def known_keys(self) -> list[str]:
        """Keys that an imported title may mean."""
        return [*self.suggestions.recommender().keys, *(rating.key for rating in self.ratings())]

    def recommend(
        self, n: int = 10, person: str = "", wish: Wish | None = None, *, gap: float = VISIT
    ) -> list[Recommendation]:
        """The n best items that a person wishes to see; `gap`: seconds after which looking again is another visit."""
        self.back_up()
        learner = self._learner if self.store.setting("model") else None
        return self.suggestions.recommend(
            n, person, wish or Wish(), gap=gap, friends=self._friends(), learner=learner
        )

    def only_in_circle(self, person: str = "", wish: Wish | None = None) -> list[Recommendation]:
        """The best few titles that only the circle knows, wherever they stand in the list; none without a start."""
        if not self.is_in_circle() or self.suggestions.facts() is None:
            return []
        wish = replace(wish or Wish(), circle=True)
        return self.suggestions.recommend(FROM_CIRCLE, person, wish, friends=self._friends())

    def kinds(self) -> frozenset[str]:
        """Kinds of titles that can be suggested, as far as that is known: those of the start and of friends."""
        return self.suggestions.recommender().kinds | {kind_of(key) for key in self._friends().titles}

    def in_start(self, person: str = "") -> tuple[int, int]:
        """How many titles that a person said something about the start has, and how many there are."""
        said, known = self.ratings(person), self.suggestions.recommender().place
        return sum(rating.key in known for rating in said), len(said)

    def _friends(self) -> CircleLikes:
        """What the others of the circle share; nobody does, in no circle."""
        return self.circle.likes() if self.is_in_circle() else NOBODY

    def people(self) -> list[str]:
        """The people whose ratings a cluster node holds; a plain node has one person without a name."""
        return self.rating_store.people() or [""]

    @cached_property
    def _rules(self) -> LiveRules:
        from tacit.node.peer_compatibility import rules_of

        return rules_of(self.store.setting("model"), self.store.setting("seed"), 1.0, self.least_members())

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
        least = self.least_members() - 1
        return "" if count >= least else f"at least {least} others must be known here, now {count}"

    def least_members(self) -> int:
        """How many people must take part in sums: members of a small group can work out each other's lists."""
        return MEMBERS if self.store.setting("small_sums", False) else CROWD

    def set_sharing(
        self,
        *,
        disclosure: float | None = None,
        paused: bool | None = None,
        open: bool | None = None,  # noqa: A002
        small_sums: bool | None = None,
    ) -> Sharing:
        """Change some of it; a running node follows within a second.

        `small_sums`: whether `ials` takes data below 100 people; a node follows that when it starts.
        """
        if disclosure is not None and not 0 <= disclosure <= 1:
            raise BadInput("disclosure", got=disclosure, allowed="a number from 0 to 1")
        given = {"disclosure": disclosure, "paused": paused, "open": open, "small_sums": small_sums}
        self.store.set(**{name: value for name, value in given.items() if value is not None})
        self.__dict__.pop("_rules", None)
        return self.sharing()

    def preview(self) -> Preview:
        """The next message, row by row, as it would leave now; an empty one where nothing leaves."""
        if self.mode() == "alone":
            return Preview(
                rows=0, rows_rated=0, bytes=0, disclosure=self.store.setting("disclosure"), items=[]
            )
        if self.is_in_circle():
            found, shared = self.circle.preview(), self.circle.shared()
            titles, part = found.titles, len(found.titles) / max(1, shared.likes)
            return Preview(len(titles), len(titles), found.bytes, part, [(title, True) for title in titles])
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
        """An invitation that lets one other node join, within a week. In a circle it is the circle's link.

        A node that was alone exchanges models from now on.
        """
        if self.is_in_circle():
            return self.circle.link().text
        self._join_others()
        secret = new_secret()
        self.contacts.invite(secret, time.time() + VALID)
        return write_ticket(Ticket(self.store.setting("id"), reachable_at(self.store), secret))

    def join(self, ticket: str) -> Peer:
        """Accept an invitation: a running node, or the next start, says hello.

        A node that was alone exchanges models from now on, or is in the circle whose link it is.
        """
        given = read_ticket(ticket)
        if given.circle:
            return self.circle.join(ticket)
        if given.id == self.store.setting("id"):
            raise BadInput("invitation", got="this node's own", allowed="an invitation of somebody else's")
        if self.is_in_circle():
            raise BadInput("invitation", got="in a circle", allowed="tacit node circle leave, then again")
        self._join_others()
        known = self.contacts.peer(given.id) or Peer(given.id)
        peer = replace(known, addresses=given.addresses, allowed=True, secret=given.secret, problem="")
        self.contacts.unblock(peer.id)
        self.contacts.save(peer)
        self.contacts.trust(filter(is_relay, given.addresses))
        return peer

    def _join_others(self) -> None:
        """End being alone: there is a model to exchange from now on."""
        if self.mode() == "alone":
            from tacit.node.peer_compatibility import DEFAULT

            self.store.set(model=DEFAULT)
            self.__dict__.pop("_rules", None)

    def remove_peer(self, peer: str) -> None:
        """Remove a peer and keep it out. Only an invitation made later, or joining it, lets it in again."""
        if self.is_in_circle():
            self.circle.remove(peer)
            return
        self.contacts.block(peer, time.time())

    def find_peer(self, text: str) -> Peer:
        """The one peer that a person means: by name, or by the beginning of its id."""
        known = self.contacts.peers()
        found = [peer for peer in known if text and (peer.name == text or peer.id.startswith(text))]
        if not known:
            raise BadInput(f"person: got {text}; this node knows nobody yet")
        if len(found) != 1:
            names = ", ".join(sorted(peer.name or peer.id[:10] for peer in found or known))
            raise BadInput("person", got=f"{text}, which {len(found)} have" if found else text, allowed=names)
        return found[0]

    def knows(self, peer: str) -> bool:
        """Whether a node is one that this one invited, joined or met."""
        found = self.contacts.peer(peer)
        return found is not None and (found.allowed or found.open or bool(found.secret))

    def is_silent(self) -> bool:
        """Whether nothing may leave now: the node is alone, or paused, and its circle knows."""
        if self.is_in_circle() and self.circle.has_last_words():
            return False
        return self.mode() == "alone" or bool(self.store.setting("paused"))

    # All of it

    def export(self, file: Path) -> int:
        """Write all ratings as csv, which `tacit node import csv` reads again; how many."""
        return write_ratings(file, self.rating_store.ratings())

    def forget(self) -> None:
        """Delete everything: ratings, model, ledger, identity. Refused while the node runs."""
        if self.store.is_running():
            raise BadInput("node", got="it is running", allowed="stop it first, then forget")
        backups.erase(self.store.home)
        self.suggestions.erase()
        self.store.erase()
