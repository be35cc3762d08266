import numpy as np

from tacit.models.mf import MatrixFactorization
from tacit.protocols.alone.simulation import AloneSimulation
from tests.simulator.small import PERIOD, setting, table

TRAIN = table((0, 0, 4), (1, 1, 2), users=2)


def test_each_learns_from_its_own_data_once_a_round() -> None:
    sim = AloneSimulation(setting(TRAIN))
    sim.advance(PERIOD - 1)
    assert sim.node_rounds == 0
    sim.advance(PERIOD)
    # eta 1/2 from 0: err = 4, both biases move by 2; user 1: err = 2, by 1.
    assert sim.fleet.slots.rows[:, :, 0].tolist() == [[2, 0], [0, 1]]
    assert sim.fleet.private[:, 0].tolist() == [2, 1]
    assert (sim.messages, sim.bytes, sim.node_rounds) == (0, 0, 2)


def test_a_common_start() -> None:
    model = MatrixFactorization(k=3)
    own = AloneSimulation(setting(TRAIN, model=model)).fleet.slots.rows
    same = AloneSimulation(setting(TRAIN, model=model), common=True).fleet.slots.rows
    assert not np.array_equal(own[0], own[1])
    assert np.array_equal(same[0], same[1])
    assert np.array_equal(same[0], own[0])
