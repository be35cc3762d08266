"""Federated rounds in turns: a share of the nodes at a time, everybody once a round."""

import numpy as np

from tacit.protocols.federated.simulation import FederatedSimulation
from tests.simulator.small import PERIOD, setting, table

TRAIN = table(*((u, u % 2, 1 + u % 3) for u in range(7)), users=7)


def test_everybody_is_asked_once_a_round() -> None:
    sim = FederatedSimulation(setting(TRAIN), participation=2 / 7)
    # Four turns (2, 2, 2, 1 nodes) of a download and an upload each.
    assert sim.period == 4 * 2 * PERIOD
    asked = []
    for turn in range(1, 9):
        before = sim.traffic.updates.copy()
        sim.advance(turn * 2 * PERIOD)
        asked.append(np.flatnonzero(sim.traffic.updates - before).tolist())
    for round_ in (asked[:4], asked[4:]):
        assert [len(turn) for turn in round_] == [2, 2, 2, 1]
        assert sorted(u for turn in round_ for u in turn) == list(range(7))
    assert asked[:4] != asked[4:]
    assert sim.messages == 2 + 2 * 14, "the third round's first downloads have left"


def test_all_at_once_is_the_default() -> None:
    one, other = FederatedSimulation(setting(TRAIN)), FederatedSimulation(setting(TRAIN), participation=1.0)
    for sim in (one, other):
        sim.advance(5 * PERIOD)
    assert one.period == 2 * PERIOD
    assert np.array_equal(one.fleet.slots.rows, other.fleet.slots.rows)
