"""Partners that share masks: random pairs, several for every node, and a secret for each pair."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tacit.core.rng import Stream, permutation, philox

Partners = npt.NDArray[np.int32]
Secrets = npt.NDArray[np.uint64]


def pair_up(nodes: int, count: int, seed: int) -> tuple[Partners, Secrets]:
    """`count` partners of every node (-1 where pairing leaves one over), and one secret per pair, the same at both.

    The secrets come from the seed. A live node makes its masks in another way: `tacit.node.push_sum`.
    """
    partner = np.full((nodes, count), -1, np.int32)
    secret = np.zeros((nodes, count), np.uint64)
    for c in range(count):
        order = permutation(seed, Stream.PARTNERS, 0, c, nodes)
        for a, b in zip(order[0::2].tolist(), order[1::2].tolist(), strict=False):
            low, high = min(a, b), max(a, b)
            word, _ = philox(seed, Stream.MASK_KEYS, low, high, c)
            partner[a, c], partner[b, c] = b, a
            secret[a, c] = secret[b, c] = word
    return partner, secret
