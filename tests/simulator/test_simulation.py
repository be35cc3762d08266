"""Predictions of a fleet, by hand."""

from __future__ import annotations

import pytest

from tacit.core.compiled.threads import Workers
from tacit.merges import age_average
from tacit.protocols.gossip.simulation import GossipSimulation
from tacit.simulator.scoring import prediction_errors
from tacit.simulator.simulation import ticks
from tests.simulator.small import BIASES, PERIOD, gossip, table

TRAIN = table((0, 0, 4), (1, 1, 2), users=2, items=3)
TEST = table((0, 1, 3), (1, 0, 3), (1, 2, 1), users=2, items=3)


def errors(simulation: GossipSimulation, lazy: bool) -> list[float]:
    return prediction_errors(BIASES, simulation.fleet, TEST, (0, 4), lazy, Workers(1)).tolist()


def test_everybody_is_measured_with_their_own_model() -> None:
    simulation = gossip(TRAIN, [[1], [0]], merge=age_average.merge())
    assert errors(simulation, lazy=False) == [-3, -3, -1]  # all predict 0
    # 10 s: node 0: c = (2, 0, 0), b = 2; node 1: c = (0, 1, 0), b = 1
    simulation.advance(PERIOD)
    assert errors(simulation, lazy=False) == [2 - 3, 1 - 3, 1 - 1]
    # 20 s: c = (2, 1, 0) for both, nothing left to learn
    simulation.advance(2 * PERIOD)
    assert errors(simulation, lazy=False) == [2 + 1 - 3, 1 + 2 - 3, 1 - 1]


def test_lazy_rows_exist_once_they_were_updated_or_received() -> None:
    simulation = gossip(TRAIN, [[1], [0]], merge=age_average.merge())
    assert errors(simulation, lazy=True) == [2 - 3, 2 - 3, 2 - 1]  # no model yet: the middle of the scale
    simulation.advance(PERIOD)
    assert errors(simulation, lazy=True) == [2 - 3, 1 - 3, 1 - 1]  # no such row yet: the user bias
    simulation.advance(2 * PERIOD)
    assert errors(simulation, lazy=True) == [0, 0, 1 - 1]  # item 2: still nobody's


@pytest.mark.parametrize(
    ("seconds", "microseconds"), [(0.0, 0), (1728.0, 1_728_000_000), (172.8, 172_800_000)]
)
def test_time_is_counted_in_whole_microseconds(seconds: float, microseconds: int) -> None:
    assert ticks(seconds) == microseconds
