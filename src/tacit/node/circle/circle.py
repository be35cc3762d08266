"""`Circle`: everything a person can do with a circle. The command line and the page call it as `service.circle`.

    circle.state                   None, or InCircle: name, host, waiting, leaving, problem, ... (records.py)
    circle.members()               list of Member: id, name, is_me, titles, left, problem, ... (records.py)
    circle.likes()                 CircleLikes: what the others share, for the recommender
    circle.titles_of(member)       list of Item that a member shares
    circle.shared()                Shared: choice, rule (all, kinds, items, none), items, likes, named
    circle.preview(choice)         SharePreview: titles, bytes, receivers; what would leave
    circle.create(name)            make a circle with this node as its host
    circle.join(text)              use a link; the host lets this node in when both run
    circle.link(uses, days)        LinkFacts: the circle's one link, made if there is none; the host only
    circle.links()                 list of LinkFacts: none or one
    circle.revoke()                end the link; whether there was one
    circle.share(choice, named)    Shared: from now on this is shared
    circle.remove(member)          Member: take somebody out, by id or name; the host only
    circle.has_last_words()        whether others still have to hear that this node is paused or leaves
    circle.leave()                 whether it is done; False: the last list leaves when the node runs

It works through the store, whether the node runs or not. A running node follows within a second. `TOLD` is what a
person has to read before anything leaves.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from tacit.core.errors import BadInput
from tacit.node.catalogue.item_keys import clean_title, row_id
from tacit.node.circle.branches import departed
from tacit.node.circle.kept import State
from tacit.node.circle.likes import Choice, liked, release_likes
from tacit.node.circle.records import InCircle, LinkFacts, Member, Shared, SharePreview
from tacit.node.circle.replica import Replica
from tacit.node.circle.sealed_list import seal_parts
from tacit.node.network.addresses import is_relay, reachable_at
from tacit.node.network.circle_messages import Card
from tacit.node.network.invitations import MAX_NAME, Ticket, new_secret, read_ticket, write_ticket
from tacit.node.network.wire import plain
from tacit.node.receive_limits import MAX_CIRCLE
from tacit.node.store.contacts import Contacts
from tacit.node.store.database import Store
from tacit.node.store.ratings import RatingStore
from tacit.node.store.records import CircleLikes, Item, Peer

TOLD = "Everybody in this circle will see the titles you share. What they have seen cannot be called back."
STRANGER = "not invited; ask for a link (tacit node circle join LINK)"
"""What a node answers to somebody who is not in its circle."""
REFUSED = "The host says that you are not in this circle any more. Leave it; a new link lets you in again."
USES, DAYS = 20, 7
"""How many people a link lets in, and for how long, unless told otherwise."""
_ADDRESSES = 6
"""Addresses in a link: more would make its QR code hard to read."""
_DAY = 86_400.0


class Circle:
    """The circle of one node."""

    def __init__(self, store: Store, ratings: RatingStore, wall: Callable[[], float] = time.time) -> None:
        self._store, self._ratings, self._wall = store, ratings, wall
        self._contacts = Contacts(store)
        self.replica = Replica(store, wall)

    # Who

    @property
    def state(self) -> InCircle | None:
        """How this node is in its circle; None: in none."""
        state = self.replica.state
        if state is None:
            return None
        me, roster, host = self.replica.me, self.replica.roster(), self._contacts.peer(state.host)
        problem = "" if host is None else host.problem
        return InCircle(
            name=state.name,
            me=me,
            host=state.host,
            is_host=state.host == me,
            paused=bool(self._store.setting("paused")),
            generation=0 if roster is None else roster.generation,
            waiting=roster is None,
            leaving=state.leaving,
            problem=problem,
            refused=roster is not None and problem == STRANGER,
        )

    def members(self) -> list[Member]:
        """Everybody in the circle, this node first; then those who left or were removed."""
        state, roster = self._in(), self.replica.roster()
        changed, me, names = self.replica.lists.heard(), self.replica.me, self.replica.names()
        ids = (state.host,) if roster is None else tuple(roster.members)
        found = []
        for one in sorted({*ids, me}, key=lambda one: (one != me, ids.index(one) if one in ids else 0)):
            likes, peer = self.replica.list_of(one), self._contacts.peer(one)
            found.append(
                Member(
                    id=one,
                    name=names.get(one, ""),
                    is_me=one == me,
                    is_host=one == state.host,
                    titles=len(self.shared().items) if one == me else len(likes[0].titles) if likes else None,
                    last_heard=None if peer is None else peer.last_seen,
                    list_changed=changed.get(one),
                    left=self.replica.has_left(one),
                    problem="" if peer is None else peer.problem,
                )
            )
        gone = [] if roster is None else departed(roster)
        return found + [
            Member(one.id, plain(one.name), removed_by="" if one.left else state.host, left=one.left)
            for one in gone
        ]

    def find(self, text: str) -> Member:
        """The one member that a person means: by name, or by the beginning of the id."""
        known = [one for one in self.members() if not one.removed_by and not one.left]
        found = [one for one in known if text and (one.name == text or one.id.startswith(text))]
        if len(found) != 1:
            names = ", ".join(one.name or one.id[:10] for one in found or known)
            raise BadInput("member", got=f"{text}, which {len(found)} have" if found else text, allowed=names)
        return found[0]

    def likes(self) -> CircleLikes:
        """What the other members share; nothing in no circle."""
        lists = {one: self.replica.list_of(one) for one in self.replica.others()}
        heard = {one: found for one, found in lists.items() if found is not None and found[0].titles}
        titles: dict[str, str] = {}
        names = self.replica.names() if heard else {}
        for likes, _ in heard.values():
            titles |= likes.titles
        return CircleLikes(
            {one: frozenset(likes.titles) for one, (likes, _) in heard.items()},
            {one: names[one] for one, (_, card) in heard.items() if card.named and card.name},
            titles,
        )

    def titles_of(self, member: str) -> list[Item]:
        """What a member shares, by title."""
        found = self.replica.list_of(member)
        titles = {} if found is None else found[0].titles
        return sorted((Item(key, title, row_id(key)) for key, title in titles.items()), key=lambda i: i.title)

    # What is shared

    def shared(self) -> Shared:
        """What this node shares now."""
        state = self._in()
        ratings = self._ratings.ratings("")
        likes = release_likes(ratings, state.choice)
        items = [Item(key, title, row_id(key)) for key, title in likes.titles.items()]
        return Shared(state.choice, state.choice.rule, items, len(liked(ratings)), state.named)

    def preview(self, choice: Choice | None = None) -> SharePreview:
        """What would leave, by a choice or by the present one."""
        state = self._in()
        likes = release_likes(self._ratings.ratings(""), state.choice if choice is None else choice)
        key = next(iter(state.keys.values()), b"\0" * 64)
        sealed = seal_parts(
            state.id or b"\0" * 16, self.replica.me, key, likes, self.card(reachable_at(self._store))
        )
        others = [self.replica.name_of(one) or one[:10] for one in self.replica.others()]
        return SharePreview(list(likes.titles.values()), sealed.size, others)

    def share(self, choice: Choice, named: bool | None = None) -> Shared:
        """Share this from now on: a running node tells the others, which replace what they have."""
        self._in()
        self.replica.change(choice=choice, **({} if named is None else {"named": named}))
        return self.shared()

    def card(self, addresses: tuple[str, ...]) -> Card:
        """The name and addresses of this node, as the others learn them."""
        return Card(str(self._store.setting("name")), self._in().named, tuple(sorted(addresses)))

    def publish(self, addresses: tuple[str, ...] = (), may_add: Callable[[], bool] = lambda: True) -> bool:
        """Sign a new version of the own list, where there is something new. An empty one while paused or leaving.

        `may_add`: asked if there are new titles. Where they have to wait, what is taken back does not.
        """
        state = self._in()
        silent = state.leaving or bool(self._store.setting("paused"))
        likes = release_likes(self._ratings.ratings(""), Choice() if silent else state.choice)
        last = self.replica.list_of(self.replica.me)
        if last is not None and likes.titles.keys() - last[0].titles.keys() and not may_add():
            likes = likes.only(last[0].titles)
        return self.replica.publish(likes, self.card(addresses), left=state.leaving)

    def has_last_words(self) -> bool:
        """Whether somebody still has to hear that this node is paused or leaves: nobody has its last list yet."""
        state, head = self.replica.state, self.replica.head(self.replica.me)
        if state is None or state.leaving or head is None or not self.replica.others():
            return state is not None and state.leaving
        untold = head.titles > 0 or state.told < head.version
        return untold and bool(self._store.setting("paused"))

    # Coming and going

    def create(self, name: str) -> InCircle:
        """Make a circle. Nothing is shared until `share`."""
        self._free()
        clean = clean_title(name)
        if not clean or clean != name.strip() or len(clean) > MAX_NAME:
            raise BadInput(
                "circle", got="no name, or a long or unprintable one", allowed=f"up to {MAX_NAME} characters"
            )
        self.replica.found(clean)
        return self._state()

    def join(self, text: str) -> Peer:
        """Use a link. The host lets this node in when both run. Nothing is shared until `share`."""
        link = read_ticket(text, "link")
        if not link.circle:
            raise BadInput("link", got="an invitation to exchange models", allowed="tacit node join TICKET")
        if link.id == self.replica.me:
            raise BadInput("link", got="this node's own", allowed="the link of somebody else's circle")
        self._free()
        known = self._contacts.peer(link.id) or Peer(link.id)
        peer = replace(known, addresses=link.addresses, allowed=True, secret=link.secret, problem="")
        with self._store.transaction():
            self.replica.lists.enter(State(link.circle, link.id))
            self._contacts.unblock(peer.id)
            self._contacts.save(peer)
            self._contacts.trust(filter(is_relay, link.addresses))
        return peer

    def leave(self) -> bool:
        """Leave the circle: one last, empty list tells the others. Whether that is done.

        Somebody who was never let in, or is alone in the circle, has nobody to tell. A running node tells the others
        within seconds; one that does not run tells them when it runs next. Leaving twice leaves without telling.
        """
        with self._store.transaction():
            state = self._in()
            if state.leaving or self.replica.roster() is None or not self.replica.others():
                self.forget()
                return True
            self.revoke()
            self.replica.change(leaving=True)
            return False

    def forget(self) -> None:
        """Be in no circle: keys, lists and members are deleted here."""
        with self._store.transaction():
            for one in self.replica.others():
                self._contacts.remove(one)
            self.replica.lists.leave()

    # The host

    def link(self, uses: int = USES, days: float = DAYS) -> LinkFacts:
        """The circle's one link; made anew where there is none that works."""
        self._host("make links")
        if not 1 <= uses < MAX_CIRCLE:
            raise BadInput("uses", got=uses, allowed=f"from 1 to {MAX_CIRCLE - 1}")
        if not 0 < days <= 90:
            raise BadInput("days", got=days, allowed="more than 0, up to 90")
        with self._store.transaction():
            if not self.links():
                now, secret = self._wall(), new_secret()
                self._contacts.invite(secret, now + days * _DAY, uses, now)
                self.replica.change(link=secret)
            return self.links()[0]

    def links(self) -> list[LinkFacts]:
        """Links that work: none or one."""
        state = self._in()
        made = self._contacts.invitation(state.link, self._wall()) if state.link else None
        if made is None:
            return []
        ticket = Ticket(self.replica.me, reachable_at(self._store)[:_ADDRESSES], state.link, state.name)
        return [LinkFacts(write_ticket(ticket), made.expires, made.uses, made.used)]

    def revoke(self) -> bool:
        """End the link: nobody gets in by it any more. Whether there was one."""
        self._in()
        return self.replica.end_link()

    def remove(self, member: str) -> Member:
        """Take somebody out: blocked, forgotten, links burnt, and a new key for the others."""
        self._host("remove people")
        gone = self.find(member)
        if gone.is_me:
            raise BadInput("member", got="yourself", allowed="tacit node circle leave")
        with self._store.transaction():
            self.revoke()
            self.replica.remove(gone.id)
        return replace(gone, titles=None, removed_by=self.replica.me)

    # Checks

    def _in(self) -> State:
        state = self.replica.state
        if state is None:
            raise BadInput(
                "circle: this node is in no circle; tacit node circle create NAME makes one, "
                "tacit node circle join LINK joins one"
            )
        return state

    def _state(self) -> InCircle:
        state = self.state
        assert state is not None
        return state

    def _free(self) -> None:
        """BadInput unless the node can begin to be in a circle."""
        state = self.replica.state
        if state is not None:
            raise BadInput(
                "circle", got=f"in {state.name} already", allowed="one at a time: tacit node circle leave"
            )
        if model := self._store.setting("model"):
            raise BadInput(
                "circle", got=f"this node exchanges {model}", allowed="tacit node mode alone, then again"
            )
        if self._store.setting("cluster"):
            raise BadInput("circle", got="a node for many people", allowed="a node for one person")

    def _host(self, what: str) -> None:
        state = self._in()
        if state.host != self.replica.me:
            host = self.replica.name_of(state.host) or state.host[:10]
            raise BadInput(
                "circle", got=f"not its host: only {host} can {what}", allowed="ask them, or leave"
            )
