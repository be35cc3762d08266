"""BPR-MF in one place: what people send is their data, once."""

from dataclasses import replace

import numpy as np
import pytest

from tacit.models.bpr import PairwiseRanking
from tacit.protocols.centralized_pairs.protocol import CentralizedPairs
from tacit.protocols.federated_pairs.simulation_kernels import _popular
from tacit.testing.protocol_kit import small_scenario


def test_traffic_is_everybodys_data_and_nothing_else() -> None:
    scenario = small_scenario(PairwiseRanking(k=2))
    simulation = CentralizedPairs().build(scenario)
    simulation.advance(3 * simulation.period)
    counts = scenario.train.counts
    assert simulation.traffic.rows.tolist() == counts.tolist()
    assert simulation.traffic.bytes.tolist() == (8 * counts).tolist()
    assert simulation.bytes == 8 * counts.sum()
    assert simulation.messages == (counts > 0).sum()
    assert simulation.node_rounds == 3 * len(scenario.train)


def rows_after(epochs: int, protocol: CentralizedPairs, of: int) -> np.ndarray:
    simulation = protocol.build(replace(small_scenario(PairwiseRanking(k=2)), epochs=of))
    simulation.advance(epochs * simulation.period)
    return simulation.fleet.slots.rows[0].copy()


def test_a_falling_learning_rate_starts_as_it_is_and_ends_at_zero() -> None:
    plain, falling = CentralizedPairs(), CentralizedPairs(falling=True)
    assert np.array_equal(rows_after(1, plain, of=4), rows_after(1, falling, of=4)), (
        "the first epoch is the same"
    )
    assert not np.array_equal(rows_after(2, plain, of=4), rows_after(2, falling, of=4))
    assert np.array_equal(rows_after(4, falling, of=4), rows_after(6, falling, of=4)), "then nothing moves"


def test_negatives_by_popularity_are_the_items_of_random_interactions() -> None:
    everyone = np.array([0] * 60 + [1] * 30 + [2] * 10, np.int32)
    avoid = np.array([1], np.int32)
    drawn = [_popular(9, avoid, everyone, 0.5, (1, 0, event), 0)[0] for event in range(4000)]
    share = np.bincount(drawn, minlength=10) / len(drawn)
    # Half stay what they were; of the others six in seven are item 0 and one in seven item 2.
    assert share[[0, 1, 2, 9]] == pytest.approx([0.5 * 6 / 7, 0.0, 0.5 / 7, 0.5], abs=0.03)


def test_all_popular_is_another_run_and_none_the_same() -> None:
    plain = rows_after(2, CentralizedPairs(), of=2)
    assert np.array_equal(plain, rows_after(2, CentralizedPairs(popular=0.0), of=2))
    assert not np.array_equal(plain, rows_after(2, CentralizedPairs(popular=1.0), of=2))
