"""What a person can do with their node. The command line and the local page call this and nothing else.

Everything goes through the store, so it works the same whether the node runs or not: a running node notices within a
second what another process wrote. Any thread may call.

    service = Service(home)
    service.rate("film:t:night ferry:2010", 4.5)
    service.recommend(10)
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path

from tacit.core.errors import BadInput
from tacit.hosts.live.book import Book
from tacit.hosts.live.contacts import Contacts
from tacit.hosts.live.library import Library
from tacit.hosts.live.records import (
    Item,
    Note,
    Peer,
    Preview,
    Rating,
    Recommendation,
    Sent,
    Sharing,
    Status,
)
from tacit.hosts.live.store import Store


class Service:
    """One node, seen by its owner."""

    def __init__(self, home: Path) -> None:
        self.store = Store(home)
        self.library, self.contacts, self.book = (
            Library(self.store),
            Contacts(self.store),
            Book(self.store),
        )

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
            ratings=self.library.count(),
            rows_known=setting("rows_known", 0),
            peers=self.contacts.peers(),
            sent=self.book.sent(),
            received=self.book.received(),
            sharing=self.sharing(),
        )

    # What the person thinks of items

    def rate(self, key: str, value: float, title: str = "", person: str = "") -> None:
        """Rate an item from 1 to 5; on disk when this returns."""
        self.library.rate([Rating(key, title, value=value, time=int(time.time()), person=person)])

    def add(self, ratings: Iterable[Rating]) -> int:
        """Keep imported ratings, all or none; how many were new or changed."""
        return self.library.rate(ratings)

    def unrate(self, key: str, person: str = "") -> None:
        """Take a rating back."""
        self.library.unrate(key, person)

    def ratings(self, person: str | None = None) -> list[Rating]:
        """Everything that was said about items."""
        return self.library.ratings(person)

    def search(self, text: str, n: int = 20) -> list[Item]:
        """Items by words of their titles."""
        return self.library.search(text, n)

    def recommend(self, n: int = 10, person: str = "") -> list[Recommendation]:
        """The n best items the person has not met, from the model as last saved."""
        raise NotImplementedError

    # What leaves

    def sharing(self) -> Sharing:
        """What was decided about sharing."""
        setting = self.store.setting
        return Sharing(setting("disclosure"), setting("paused"), setting("open"), setting("problem", ""))

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
        raise NotImplementedError

    def ledger(self, n: int = 100) -> list[Sent]:
        """What left, newest first."""
        return self.book.entries(n)

    def notes(self, n: int = 20) -> list[Note]:
        """Lines about what went wrong, newest first."""
        return self.book.notes(n)

    # Whom it talks to

    def peers(self) -> list[Peer]:
        """Everybody known."""
        return self.contacts.peers()

    def invite(self) -> str:
        """A ticket that lets one other node join."""
        raise NotImplementedError

    def join(self, ticket: str) -> Peer:
        """Accept an invitation: a running node, or the next start, says hello."""
        raise NotImplementedError

    def remove_peer(self, peer: str) -> None:
        """Talk to somebody no more."""
        self.contacts.remove(peer)

    # All of it

    def export(self, file: Path) -> int:
        """Write all ratings as csv (item,title,rating,timestamp); how many."""
        raise NotImplementedError

    def forget(self) -> None:
        """Delete everything: ratings, model, ledger, identity. Refused while the node runs."""
        raise NotImplementedError
