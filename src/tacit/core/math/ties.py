"""Ties: items with the same score stand in a random order, which (seed, user, item) decide and nothing else.

Scores are equal where they are the same number, to the last bit. An item is its position in the catalogue. The keys of
all positions are independent draws, so no numbering of a catalogue is better off than another. Ids would have to be
hashed for the same effect.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tacit.core.compiled.compiling import kernel
from tacit.core.rng import Stream, philox

_TIES = Stream.TIES


@kernel
def tie_key(seed: int, user: int, item: int) -> np.uint64:
    """Of a user's items with the same score the one with the larger key comes first."""
    key, _ = philox(seed, _TIES, user, 0, item)
    return key


@kernel
def _keys(seed: int, user: int, items: npt.NDArray[np.int64]) -> npt.NDArray[np.uint64]:
    keys = np.empty(len(items), np.uint64)
    for n in range(len(items)):
        keys[n] = tie_key(seed, user, items[n])
    return keys


def best_first(scores: npt.NDArray[np.floating], n: int, seed: int, user: int) -> npt.NDArray[np.int64]:
    """Positions of a user's n largest scores, best first; NaN comes last.

    >>> best_first(np.array([1.0, 3.0, 2.0]), 2, seed=0, user=0).tolist()
    [1, 2]
    """
    scores = np.where(np.isnan(scores), -np.inf, scores)
    places = np.arange(len(scores))
    if 0 < n < len(scores):
        places = np.flatnonzero(scores >= np.partition(scores, -n)[-n])
    # The complement of a key grows where the key falls, and so does the negative of a score.
    order = np.lexsort((~_keys(seed, user, places), -scores[places]))
    return places[order][:n]
