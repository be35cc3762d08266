"""The K best items of each user, and which of them were held out: what the ranking metrics are computed from."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tacit.core.compiled.compiling import kernel
from tacit.core.compiled.threads import Workers
from tacit.core.interactions import Interactions, Ints, Positions
from tacit.core.scorer import Scorer, Scores, blocks

Lists = npt.NDArray[np.int32]
"""N x K item positions, best first; -1 where a list is shorter."""
Hits = npt.NDArray[np.bool_]
"""N x K: whether the item in this place was held out."""


def top_lists(scorer: Scorer, known: Interactions, wanted: Hits, k: int, workers: Workers) -> Lists:
    """Everybody's K best items without those they are `known` to have; users not `wanted` get none.

    Of two items with the same score the one that comes first in the catalogue wins. Users are scored block by block,
    so memory does not grow with users x items.
    """
    lists = np.full((scorer.users, k), -1, np.int32)
    for low, high in blocks(scorer.users, scorer.items):
        if wanted[low:high].any():
            scores = np.empty((high - low, scorer.items))
            scorer.block(low, high, scores)
            workers.run(_top, high - low, low, scores, known.start, known.item, wanted, lists)
    return lists


@kernel
def _top(
    low: int, high: int, first: int, scores: Scores, start: Ints, item: Positions, wanted: Hits, lists: Lists
) -> None:
    k = lists.shape[1]
    best = np.empty(k)
    for n in range(low, high):
        u = first + n
        if not wanted[u]:
            continue
        at, end = start[u], start[u + 1]
        count = 0
        for i in range(scores.shape[1]):
            if at < end and item[at] == i:
                at += 1
                continue
            s = scores[n, i]
            # Written so that NaN and minus infinity never get in.
            if not s > -np.inf or (count == k and not s > best[k - 1]):
                continue
            place = count if count < k else k - 1
            while place > 0 and best[place - 1] < s:
                best[place] = best[place - 1]
                lists[u, place] = lists[u, place - 1]
                place -= 1
            best[place] = s
            lists[u, place] = i
            if count < k:
                count += 1


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
