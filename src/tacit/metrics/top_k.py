"""The K best items of each user, and which of them were held out: what the ranking metrics are computed from."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tacit.core.compiled.compiling import kernel
from tacit.core.compiled.threads import Workers
from tacit.core.interactions import Interactions, Ints, Positions
from tacit.core.math.ties import tie_key
from tacit.core.scorer import Scorer, Scores, blocks

Lists = npt.NDArray[np.int32]
"""N x K item positions, best first; -1 where a list is shorter."""
Hits = npt.NDArray[np.bool_]
"""N x K: whether the item in this place was held out."""


class TopLists(NamedTuple):
    """Everybody's K best items."""

    lists: Lists
    tied: Ints
    """How many places of each user's list a tie decided: another candidate has the same score."""


def top_lists(
    scorer: Scorer, known: Interactions, wanted: Hits, k: int, *, seed: int, workers: Workers
) -> TopLists:
    """Everybody's K best items without those they are `known` to have; users not `wanted` get none.

    Items with the same score stand in random order (`core/math/ties.py`). Users are scored block by block, so memory
    does not grow with users x items.
    """
    lists = np.full((scorer.users, k), -1, np.int32)
    tied = np.zeros(scorer.users, np.int64)
    for low, high in blocks(scorer.users, scorer.items):
        if wanted[low:high].any():
            scores = np.empty((high - low, scorer.items))
            scorer.block(low, high, scores)
            workers.run(_top, high - low, low, seed, scores, known.start, known.item, wanted, lists, tied)
    return TopLists(lists, tied)


def share_of_ties(tied: Ints, lists: Lists) -> float:
    """What share of the lists' places a tie decided; 0 where all lists are empty.

    >>> share_of_ties(np.array([1, 0]), np.array([[3, 1], [2, -1]]))
    0.3333333333333333
    """
    filled = int((lists >= 0).sum())
    return float(tied.sum() / filled) if filled else 0.0


@kernel
def _top(
    low: int,
    high: int,
    first: int,
    seed: int,
    scores: Scores,
    start: Ints,
    item: Positions,
    wanted: Hits,
    lists: Lists,
    tied: Ints,
) -> None:
    k = lists.shape[1]
    best = np.empty(k)
    keys = np.empty(k, np.uint64)
    for n in range(low, high):
        u = first + n
        if not wanted[u]:
            continue
        at, end = start[u], start[u + 1]
        count = 0
        # The best score that was left out.
        dropped = -np.inf
        for i in range(scores.shape[1]):
            if at < end and item[at] == i:
                at += 1
                continue
            s = scores[n, i]
            # Written so that NaN and minus infinity never get in.
            if not s > -np.inf or (count == k and not s >= best[k - 1]):
                continue
            key = tie_key(seed, u, i)
            if count == k:
                dropped = best[k - 1]
                if s == best[k - 1] and key < keys[k - 1]:
                    continue
            place = count if count < k else k - 1
            while place > 0 and (best[place - 1] < s or (best[place - 1] == s and keys[place - 1] < key)):
                best[place] = best[place - 1]
                keys[place] = keys[place - 1]
                lists[u, place] = lists[u, place - 1]
                place -= 1
            best[place] = s
            keys[place] = key
            lists[u, place] = i
            if count < k:
                count += 1
        for place in range(count):
            s = best[place]
            above = place > 0 and best[place - 1] == s
            below = best[place + 1] == s if place + 1 < count else dropped == s
            if above or below:
                tied[u] += 1


@kernel
def hits_of(lists: Lists, start: Ints, item: Positions) -> Hits:
    """Which listed items are among the user's held-out ones (ascending within a user)."""
    hits = np.zeros(lists.shape, np.bool_)
    for u in range(lists.shape[0]):
        held = item[start[u] : start[u + 1]]
        for n in range(lists.shape[1]):
            i = lists[u, n]
            if i >= 0:
                at = np.searchsorted(held, i)
                hits[u, n] = at < len(held) and held[at] == i
    return hits


def where_relevant(values: npt.NDArray[np.floating], relevant: Ints) -> npt.NDArray[np.float64]:
    """Per-user values, NaN for users without held-out items: they are left out of every mean."""
    return np.where(relevant > 0, values, np.nan)
