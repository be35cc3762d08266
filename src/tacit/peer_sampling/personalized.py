"""Personalized peer sampling (PEPPER, algorithm 3): a view of the best senders so far, and of random nodes.

A node notes how well the last model of each sender did, or the best one (its list LN). A new view has
T = (1 - alpha) |V| of the best. The rest is drawn at random: alpha is the share of exploration. T is a whole
number: with alpha 0.4 and a view of 3 it is 2 four times in five and 1 otherwise. The list is bounded: when it is full,
a better sender replaces the worst.

Strangers come from everybody (`choose_view`), or from the views that peers sent along (`hear`, `renew_view`).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tacit.core.compiled.compiling import kernel
from tacit.core.rng import Stream, below, permutation, uniform

_STREAM, _STRANGERS = Stream.VIEW, Stream.STRANGERS
Peers = npt.NDArray[np.int32]
Scores = npt.NDArray[np.float32]


@kernel
def remember(peers: Peers, scores: Scores, peer: int, score: float, best: bool) -> None:
    """Note a sender's score in the list (-1: an empty place): the last one, or the best so far."""
    worst = 0
    for n in range(len(peers)):
        if best and peers[n] == peer and scores[n] > score:
            return
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
    count = _exploit(seed, node, event, alpha, peers, scores, view)
    draw = 1
    while count < len(view):
        other = below(seed, _STREAM, node, event, draw, nodes - 1)
        draw += 1
        other += 1 if other >= node else 0
        if not _among(view, count, other):
            view[count] = other
            count += 1


@kernel
def hear(heard: Peers, message: int, me: int, sender: int, view: Peers) -> None:
    """Keep a sender and the view it sent along (-1: nobody), in the place of the oldest message that is kept.

    `message` counts the messages this node received. `heard` has room for whole messages, 1 + |view| peers each.
    """
    size = 1 + len(view)
    at = message % (len(heard) // size) * size
    heard[at] = sender
    for n in range(len(view)):
        heard[at + 1 + n] = -1 if view[n] == me else view[n]


@kernel
def renew_view(
    draws: tuple[int, int, int],
    nodes: int,
    alpha: float,
    peers: Peers,
    scores: Scores,
    heard: Peers,
    view: Peers,
) -> None:
    """Fill `view` anew: the best of the list, then random ones of those that were heard of.

    Where these are too few, peers of the old view stay. Where there was no view yet (-1), and where nothing is kept of
    what peers tell (`heard` has no room), strangers come from all `nodes`. `draws` are seed, node and event.
    """
    seed, node, event = draws
    if len(heard) == 0 or view[0] < 0:
        choose_view(seed, node, event, nodes, alpha, peers, scores, view)
        return
    before = view.copy()
    count = _exploit(seed, node, event, alpha, peers, scores, view)
    for n in permutation(seed, _STRANGERS, node, event, len(heard)):
        if count < len(view) and heard[n] >= 0 and not _among(view, count, heard[n]):
            view[count] = heard[n]
            count += 1
    for peer in before:
        if count < len(view) and not _among(view, count, peer):
            view[count] = peer
            count += 1


@kernel
def _exploit(
    seed: int, node: int, event: int, alpha: float, peers: Peers, scores: Scores, view: Peers
) -> int:
    """Begin a view with the best of the list; how many there are."""
    size = len(view)
    wanted = int((1.0 - alpha) * size + uniform(seed, _STREAM, node, event, 0))
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
    return count


@kernel
def _among(view: Peers, count: int, peer: int) -> bool:
    found = False
    for n in range(count):
        found |= view[n] == peer
    return found
