"""Centralized learning by hand."""

from __future__ import annotations

from tacit.core.rng import Stream, permutation
from tacit.protocols.centralized.simulation import CentralSimulation
from tests.simulator.small import PERIOD, setting, table


def test_two_users_learn_into_one_model_in_random_order() -> None:
    train = table((0, 0, 4), (1, 0, 2), users=2)
    # First user 0: err = 4, c = b0 = 2; then user 1: err = 2 - 0 - 2 = 0: c = 2, b1 = 0.
    # First user 1: err = 2, c = b1 = 1; then user 0: err = 4 - 0 - 1 = 3: c = 2.5, b0 = 1.5.
    by_hand = {(0, 1): (2.0, [[2.0], [0.0]]), (1, 0): (2.5, [[1.5], [1.0]])}
    orders = set()
    for seed in range(6):
        simulation = CentralSimulation(setting(train, seed=seed))
        simulation.advance(PERIOD - 1)
        assert simulation.node_rounds == 0
        simulation.advance(PERIOD)
        order = tuple(permutation(seed, Stream.ORDER, 0, 0, 2).tolist())
        orders.add(order)
        assert (simulation.fleet.slots.rows[0, 0, 0], simulation.fleet.private.tolist()) == by_hand[order]
        assert simulation.fleet.slots.ages[0].tolist() == [2, 0]
        assert simulation.node_rounds == 2
    assert len(orders) == 2


def test_everybody_s_data_is_sent_once() -> None:
    simulation = CentralSimulation(setting(table((0, 0, 4), (0, 1, 3), (1, 0, 2), users=3)))
    simulation.advance(5 * PERIOD)
    assert simulation.messages == 2  # user 2 has nothing to send
    assert simulation.bytes == 3 * 8
    assert simulation.traffic.rows_rated.tolist() == [2, 1, 0]
