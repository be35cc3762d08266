"""What a node suggests to its person: the start it goes by, the list, and the search for titles.

By the rule (`start/recommender`) where there is a start or nothing is exchanged; otherwise from the exchanged model.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from tacit.core.errors import BadInput
from tacit.node.catalogue.item_keys import display_title, key_fault, row_id
from tacit.node.choose_list import check, chosen, ranked
from tacit.node.start import rows_file
from tacit.node.start.recommender import Circles, Recommender
from tacit.node.start.rows_file import Start
from tacit.node.store.database import Store, StoreFull
from tacit.node.store.ratings import RatingStore
from tacit.node.store.records import Item, Rating, Recommendation, StartFacts, Wish
from tacit.node.store.visits import VISIT, Visits

if TYPE_CHECKING:
    from tacit.node.exchange.gossip_learner import GossipLearner
    from tacit.node.push_sum.sum_learner import SumLearner

START_FILE = "start.rows"


class Suggestions:
    """Lists and searches of one node."""

    def __init__(self, store: Store, ratings: RatingStore) -> None:
        self._store, self._ratings, self._visits = store, ratings, Visits(store)
        self._recommender: tuple[StartFacts | None, Recommender] | None = None

    # The start: rows learned from public ratings

    def facts(self) -> StartFacts | None:
        """Where this node's rows come from."""
        known = self._store.setting("start")
        return None if known is None else StartFacts(**known)

    def set_start(self, start: Start) -> None:
        """Suggest from these rows from now on."""
        rows_file.write(self._store.home / START_FILE, start)
        self._store.set(start={"source": start.source, "items": len(start), "licence": start.licence})
        self._recommender = None

    def recommender(self) -> Recommender:
        """The rule with this node's start, read again when there is another one."""
        facts = self.facts()
        if self._recommender is None or self._recommender[0] != facts:
            start = None if facts is None else rows_file.read(self._store.home / START_FILE)
            self._recommender = facts, Recommender(start)
        return self._recommender[1]

    def erase(self) -> None:
        """Delete the start."""
        (self._store.home / START_FILE).unlink(missing_ok=True)

    # Titles

    def search(self, text: str, n: int = 20) -> list[Item]:
        """Items by words of their titles: those of the start, and others that are known here."""
        start = self.recommender().start
        found = {item.key: item for item in self._ratings.search(text, n)}
        if start is not None:
            for place in start.search(text, n):
                key = start.keys[place]
                found[key] = Item(key, start.titles[place], row_id(key))
        return sorted(found.values(), key=lambda item: (len(item.title), item.key))[:n]

    def find(self, text: str) -> Item:
        """The one item that a person means: by key, by an id of their own, or by words of its title."""
        for key in (text, f"csv:{text}"):
            if not key_fault(key):
                known = self._item(key)
                if known is not None or key == text:
                    return known or Item(key, display_title(key), row_id(key))
        found = self.search(text, 4)
        same = [item for item in found if item.title.casefold() == text.casefold()]
        if len(same or found) == 1:
            return (same or found)[0]
        some = "; ".join(f"{item.title} = {item.key}" for item in found)
        raise BadInput(
            "item", got=text, allowed=f"one of: {some}" if found else "a key or a title that is known"
        )

    def _item(self, key: str) -> Item | None:
        recommender = self.recommender()
        if recommender.start is not None and key in recommender.place:
            return Item(key, recommender.start.titles[recommender.place[key]], row_id(key))
        return self._ratings.item(row_id(key))

    # The list

    def recommend(
        self,
        n: int,
        person: str,
        wish: Wish,
        *,
        gap: float = VISIT,
        circle: Circles | None = None,
        learner: Callable[[], GossipLearner | SumLearner] | None = None,
    ) -> list[Recommendation]:
        """The n best items that a person wishes to see. What is in the list counts as shown.

        `gap`: seconds after which looking again is another visit. `circle`: what each member likes. `learner`: gives
        the exchanged model, which is asked where there is no start.
        """
        check(n, wish)
        ratings = self._ratings.ratings(person)
        if learner is None or self.facts() is not None:
            found = ranked(self.recommender(), ratings, wish, circle)
        else:
            found = self._exchanged(learner(), ratings, n)
        now = time.time()
        shown = chosen(found, n, wish, lambda key: bool(self._visits.new(person, [row_id(key)], now, gap)))
        rows = [row_id(item.key) for item in shown]
        new, again = self._visits.new(person, rows, now, gap), False
        with suppress(StoreFull):  # a full disk is no reason to show nothing
            again = bool(rows) and self._visits.note(person, rows, now, gap)
        return [replace(item, new=again and row in new) for item, row in zip(shown, rows, strict=True)]

    def _exchanged(
        self, learner: GossipLearner | SumLearner, ratings: list[Rating], n: int
    ) -> Iterator[Recommendation]:
        """Items from the exchanged model, best first; asked for in growing parts."""
        from tacit.node.recommend import recommend

        done = 0
        while True:
            n *= 4
            found = recommend(learner, self._ratings, ratings, n)
            yield from found[done:]
            done = len(found)
            if done < n:
                return
