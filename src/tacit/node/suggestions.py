"""What a node suggests to its person: the start it goes by, the list, and the search for titles.

By the rule (`start/recommender`) where there is a start or nothing is exchanged; otherwise from the exchanged model.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from tacit.core.errors import BadInput
from tacit.node.catalogue.item_keys import display_title, key_fault, row_id
from tacit.node.choose_list import NOBODY, check, chosen, ranked
from tacit.node.start import rows_file
from tacit.node.start.hues import GREY
from tacit.node.start.recommender import Recommender
from tacit.node.start.rows_file import Start
from tacit.node.store.database import Store, StoreFull
from tacit.node.store.ratings import RatingStore
from tacit.node.store.records import CircleLikes, Item, Rating, Recommendation, StartFacts, Wish
from tacit.node.store.visits import VISIT, Visits

if TYPE_CHECKING:
    from tacit.node.exchange.gossip_learner import GossipLearner
    from tacit.node.push_sum.sum_learner import SumLearner

START_FILE = "start.rows"
_VARIED = 4
"""Out of how many times as many best-known titles a varied list is taken."""
_SHADES = 3
"""Neighbouring hues that count as one colour."""
_OFFERED = 4
"""Titles that an error names, where a text means several."""


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

    def search(self, text: str, n: int = 20, friends: CircleLikes = NOBODY) -> list[Item]:
        """Items by words of their titles: those of the start, of friends, and others that are known here."""
        start, words = self.recommender().start, text.casefold().split()
        found = {
            key: Item(key, title, row_id(key))
            for key, title in friends.titles.items()
            if words and all(word in title.casefold() for word in words)
        }
        found |= {item.key: item for item in self._ratings.search(text, n)}
        if start is not None:
            for place in start.search(text, n):
                key = start.keys[place]
                found[key] = Item(key, start.titles[place], row_id(key))
        return sorted(found.values(), key=lambda item: (len(item.title), item.key))[:n]

    def find(self, text: str, friends: CircleLikes = NOBODY) -> Item:
        """The one item that a person means: by key, by an id of their own, or by words of its title.

        A whole title, with or without its year, comes before titles that only hold its words.
        """
        for key in (text, f"csv:{text}"):
            if not key_fault(key):
                known = self._item(key)
                if known is not None or key == text:
                    return known or Item(key, display_title(key), row_id(key))
        found, whole = self.search(text, friends=friends), text.strip().casefold()
        for same in (str.casefold, _without_year):
            found = [item for item in found if same(item.title) == whole] or found
        if len(found) == 1:
            return found[0]
        some = "; ".join(f"{item.title} = {item.key}" for item in found[:_OFFERED])
        raise BadInput(
            "item", got=text, allowed=f"one of: {some}" if found else "a key or a title that is known"
        )

    def _item(self, key: str) -> Item | None:
        recommender = self.recommender()
        if recommender.start is not None and key in recommender.place:
            return Item(key, recommender.start.titles[recommender.place[key]], row_id(key))
        return self._ratings.item(row_id(key))

    def hue(self, key: str) -> int | None:
        """The colour of a title, where the start has one."""
        recommender = self.recommender()
        place = recommender.place.get(key)
        if recommender.start is None or place is None:
            return None
        hue = int(recommender.start.hues[place])
        return None if hue == GREY else hue

    def genres(self, key: str) -> list[str]:
        """The genres of a title, where the start has them."""
        recommender = self.recommender()
        place = recommender.place.get(key)
        if recommender.start is None or place is None or not recommender.start.genres:
            return []
        return [genre for genre in recommender.start.genres[place].split("|") if genre]

    def well_known(self, n: int, skip: int = 0) -> list[Item]:
        """Titles of the start that many people like, of many colours, to be rated by somebody who is new.

        `skip`: how many such lists were seen before.
        """
        start = self.recommender().start
        if start is None:
            return []
        block = n * _VARIED
        best = np.argsort(-start.public.counts, kind="stable")[block * skip : block * (skip + 1)].tolist()
        met: Counter[int] = Counter()
        turns = []
        for place in best:
            colour = int(start.hues[place]) // _SHADES
            turns.append((met[colour], place))
            met[colour] += 1
        # The best-known title of every colour, then the second of each.
        chosen = [place for _, place in sorted(turns, key=lambda turn: turn[0])[:n]]
        return [Item(start.keys[place], start.titles[place], row_id(start.keys[place])) for place in chosen]

    # The list

    def recommend(
        self,
        n: int,
        person: str,
        wish: Wish,
        *,
        gap: float = VISIT,
        friends: CircleLikes = NOBODY,
        learner: Callable[[], GossipLearner | SumLearner] | None = None,
    ) -> list[Recommendation]:
        """The n best items that a person wishes to see. What is in the list counts as shown.

        `gap`: seconds after which looking again is another visit. `friends`: what members of the circle like.
        `learner`: gives the exchanged model, which is asked where there is no start.
        """
        check(n, wish)
        ratings = self._ratings.ratings(person)
        if learner is None or self.facts() is not None:
            found = ranked(self.recommender(), ratings, wish, friends)
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


def _without_year(title: str) -> str:
    return re.sub(r" \(\d{4}\)$", "", title.casefold())
