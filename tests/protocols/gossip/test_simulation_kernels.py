"""A sampler's place is compared with how many candidates there are, whoever is known and online."""

from __future__ import annotations

import numpy as np
import pytest

from tacit.core.compiled.compiling import kernel
from tacit.peer_sampling.base import NoSuchPeer
from tacit.peer_sampling.graphs import Neighbours
from tacit.protocols.gossip.simulation_kernels import make_choose
from tacit.simulator.churn.sessions import Sessions, always

NODES = 6
FOUR_ONLINE = Sessions(np.array([0, 1, 2, 3, 4, 4, 4]), np.zeros(4, np.int64), np.full(4, 100))
"""Of six nodes the first four."""
EVERYBODY, TWO = np.zeros(0, np.int32), np.array([2, 5], np.int32)


@kernel
def as_told(seed: int, node: int, event: int, candidates: int, shape: float) -> int:
    """The place that is given as the event."""
    return event


@pytest.mark.parametrize(
    ("known", "sessions", "candidates", "last"),
    [
        (EVERYBODY, always(), 5, 5),
        (TWO, always(), 2, 5),
        (EVERYBODY, FOUR_ONLINE, 3, 3),
        (TWO, FOUR_ONLINE, 1, 2),
    ],
)
def test_a_place_outside_of_the_candidates(
    known: Neighbours, sessions: Sessions, candidates: int, last: int
) -> None:
    choose = make_choose(as_told)
    assert choose(0, 1, candidates - 1, known, NODES, sessions, 10, 0.0) == last
    for place in (candidates, -1, 100_000):
        with pytest.raises(NoSuchPeer) as caught:
            choose(0, 1, place, known, NODES, sessions, 10, 0.0)
        assert caught.value.args == (place, candidates)
