"""`Recommender`: the rule by item keys. What a node asks for a list, with the true reasons of every place in it.

    recommender = Recommender(start)                       a start file, or None
    ranking = recommender.rank({"film:t:night ferry:2010": 1.0}, {"Bo": {"film:t:salt road:1998"}})
    ranking.best()                                         keys, best first
    ranking.reasons("film:t:paper boats:1999")             what the score is made of

It keeps nothing between calls: a member who is no longer given leaves no trace.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from tacit.node.catalogue.item_keys import kind_of
from tacit.node.start import rule
from tacit.node.start.rule import Circle, Doubles, PublicRows, Solved

if TYPE_CHECKING:
    from tacit.node.start.rows_file import Start

Circles = Mapping[str, Collection[str]]
"""What each member of a circle likes, by the member's name or id."""


@dataclass(frozen=True, slots=True)
class Reasons:
    """The parts of one score; they sum to `score`."""

    score: float
    """x, the linear score that orders titles of the start file; the rate, for a title that only the circle knows."""
    own: dict[str, float] = field(default_factory=dict)
    """What each own rating adds, by key."""
    public: float = 0.0
    """What comes from what people like on average."""
    members: dict[str, float] = field(default_factory=dict)
    """What each member of the circle adds."""

    def largest(self, among: Collection[str], n: int = 2) -> list[str]:
        """Which of some own ratings, by key, add most; none that speaks against it."""
        adding = [key for key, part in self.own.items() if part > 0 and key in among]
        return sorted(adding, key=lambda key: (-self.own[key], key))[:n]


class Ranking:
    """Every title that can be ranked for one person, the person's own included."""

    def __init__(
        self, recommender: Recommender, own: Mapping[str, float], circle: Mapping[str, frozenset[str]]
    ) -> None:
        self._recommender, self._own = recommender, own
        self._members = list(circle)
        self.scores: dict[str, float] = {}
        """How likely each title is liked; popularity alone, where there is nothing else to go by."""
        self._solved: Solved | None = None
        self._circle: Circle | None = None
        self._unknown: dict[str, dict[int, float]] = {}
        likes = [circle[member] for member in self._members]
        liked = {key for key, weight in own.items() if weight >= 1}
        if recommender.public is None:
            self._unknown = rule.overlap_scores(likes, liked)
        else:
            self._rank_known(recommender.public, likes)
            self._rank_unknown(recommender.public, likes, liked)
        self.scores |= {key: sum(adds.values()) for key, adds in self._unknown.items()}

    def best(self) -> list[str]:
        """All keys, best first; equal scores in the order of the file, then by key."""
        place = self._recommender.place
        return sorted(self.scores, key=lambda key: (-self.scores[key], place.get(key, len(place)), key))

    def reasons(self, key: str) -> Reasons:
        """What the score of a title is made of."""
        if key in self._unknown:
            adds = self._unknown[key]
            members = {self._members[m]: value for m, value in adds.items() if m >= 0}
            return Reasons(self.scores[key], public=adds.get(-1, 0.0), members=members)
        public, place = self._recommender.public, self._recommender.place[key]
        if public is None or self._solved is None:
            return Reasons(self.scores[key], public=self.scores[key])
        own, pull = rule.parts(public, self._solved, place)
        titles = [self._recommender.keys[i] for i in self._solved.items.tolist()]
        shifts = np.zeros((0, len(pull))) if self._circle is None else self._circle.shifts
        return Reasons(
            score=float(public.rows[place] @ self._solved.vector),
            own=dict(zip(titles, own.tolist(), strict=True)),
            public=float(pull @ public.mean),
            members=dict(zip(self._members, (shifts @ pull).tolist(), strict=False)),
        )

    def _rank_known(self, public: PublicRows, likes: list[frozenset[str]]) -> None:
        own = {key: weight for key, weight in self._own.items() if weight > 0}
        items, weights = self._recommender.places(own)
        scores = rule.popularity(public)
        known = [titles & self._recommender.place.keys() for titles in likes]
        if any(known) or len(items):
            self._solved = rule.solve(public, items, weights)
            if any(known):
                self._circle = self._circle_of(public, self._solved, known)
                self._solved = rule.solve(public, items, weights, self._circle.toward)
            scores = rule.rates(public, public.rows @ self._solved.vector, self._solved.n)
        self.scores = dict(zip(self._recommender.keys, scores.tolist(), strict=True))

    def _circle_of(self, public: PublicRows, alone: Solved, known: Sequence[Set[str]]) -> Circle:
        """What members say whose likes the file knows; the others are taken to be as alike as these are."""
        vectors = [self._recommender.vector_of(titles) for titles in known if titles]
        said = rule.circle_of(public, alone, np.stack(vectors))
        heard = np.array([bool(titles) for titles in known])
        shifts, likeness = np.zeros((len(known), len(public.mean))), np.full(len(known), said.alike)
        shifts[heard], likeness[heard] = said.shifts, said.likeness
        return Circle(said.toward, shifts, said.alike, likeness)

    def _rank_unknown(self, public: PublicRows, likes: list[frozenset[str]], liked: set[str]) -> None:
        if not likes:
            return
        place = self._recommender.place
        likeness = np.zeros(len(likes)) if self._circle is None else self._circle.likeness
        weights = rule.member_weights(public, likeness, [len(titles) for titles in likes])
        unknown = [{key for key in titles if key not in place} for titles in likes]
        own = {key for key in liked if key not in place}
        self._unknown = rule.unknown_rates(unknown, own, weights.tolist())


class Recommender:
    """The rule, with the rows and keys of a start file or without any."""

    def __init__(self, start: Start | None = None) -> None:
        self.start = start
        self.public = None if start is None else start.public
        self.keys: list[str] = [] if start is None else start.keys
        self.place = {key: place for place, key in enumerate(self.keys)}
        self.kinds = frozenset(kind_of(key) for key in self.keys)

    def rank(self, own: Mapping[str, float], circle: Circles | None = None) -> Ranking:
        """Rank for somebody whose ratings have these weights (`rule.weight_of_stars`; 0: met and not liked).

        `circle` is what each member likes. Without it only public rows count, without both popularity does.
        """
        return Ranking(self, own, {name: frozenset(likes) for name, likes in (circle or {}).items()})

    def places(self, own: Mapping[str, float]) -> tuple[np.ndarray, Doubles]:
        """Positions and weights of those titles that the file knows."""
        known = sorted((self.place[key], weight) for key, weight in own.items() if key in self.place)
        items = np.array([place for place, _ in known], np.int64)
        return items, np.array([weight for _, weight in known], np.float64)

    def vector_of(self, likes: Collection[str]) -> Doubles:
        """The vector of somebody who likes these titles."""
        assert self.public is not None
        return rule.solve(self.public, *self.places(dict.fromkeys(likes, 1.0))).vector
