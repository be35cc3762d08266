"""Personalized peer sampling (PEPPER, algorithm 3): a view of the best senders so far, and of random nodes.

A node notes how well the last model of each sender did (its list LN). A new view has T = (1 - alpha) |V| of the best,
and the rest is drawn at random: alpha is the share of exploration. T is a whole number: with alpha 0.4 and a view of 3
it is 2 four times in five and 1 otherwise. The list is bounded: when it is full, a better sender replaces the worst.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tacit.core.compiled.compiling import kernel
from tacit.core.rng import Stream, below, uniform

_STREAM = Stream.VIEW
Peers = npt.NDArray[np.int32]
Scores = npt.NDArray[np.float32]


@kernel
def remember(peers: Peers, scores: Scores, peer: int, score: float) -> None:
    """Note a sender's last score in the list (-1: an empty place)."""
    worst = 0
    for n in range(len(peers)):
        if peers[n] == peer or peers[n] < 0:
            peers[n] = peer
            scores[n] = score
            return
        if scores[n] < scores[worst]:
            worst = n
    if score > scores[worst]:
        peers[worst] = peer
        scores[worst] = score


@kernel
def choose_view(
    seed: int, node: int, event: int, nodes: int, alpha: float, peers: Peers, scores: Scores, view: Peers
) -> None:
    """Fill `view` with different nodes other than `node`: the best of the list, then random ones.

    Of senders with the same score the one noted first comes first. The view must not be larger than nodes - 1.
    """
    size = len(view)
    exploit = (1.0 - alpha) * size
    wanted = int(exploit + uniform(seed, _STREAM, node, event, 0))
    count = 0
    while count < min(wanted, size):
        best = -1
        for n in range(len(peers)):
            if peers[n] < 0:
                break
            if (best < 0 or scores[n] > scores[best]) and not _among(view, count, peers[n]):
                best = n
        if best < 0:
            break
        view[count] = peers[best]
        count += 1
    draw = 1
    while count < size:
        other = below(seed, _STREAM, node, event, draw, nodes - 1)
        draw += 1
        other += 1 if other >= node else 0
        if not _among(view, count, other):
            view[count] = other
            count += 1


@kernel
def _among(view: Peers, count: int, peer: int) -> bool:
    found = False
    for n in range(count):
        found |= view[n] == peer
    return found
