import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.core.interactions import Interactions
from tacit.metrics.sampled_ranking import draw_negatives, ranks, sampled_metrics


def test_a_constant_scorer_scores_zero() -> None:
    start = np.array([0, 2])
    found = sampled_metrics(start, *ranks(start, np.ones(2), np.ones((1, 100))), (5, 10, 20))
    assert set(found) == {f"{name}@{k}" for name in ("hr", "ndcg", "f1") for k in (5, 10, 20)}
    assert all(values[0] == 0 for values in found.values())


def test_by_hand() -> None:
    start = np.array([0, 2, 2])
    scores = np.array([9.0, 4.5])
    among = np.array([[8.0, 7.0, 6.0, 5.0, 4.0, np.nan], [1.0, 1, 1, 1, 1, 1]])
    alone, pooled = ranks(start, scores, among)
    assert (alone.tolist(), pooled.tolist()) == ([0, 4], [0, 5])
    found = sampled_metrics(start, alone, pooled, (5,))
    assert found["hr@5"][0] == 1
    assert found["ndcg@5"][0] == pytest.approx((1 + math.log(2) / math.log(6)) / 2)
    assert found["f1@5"][0] == pytest.approx(2 * (1 / 5) * (1 / 2) / (1 / 5 + 1 / 2))
    assert all(np.isnan(values[1]) for values in found.values())


@settings(deadline=None)
@given(st.sets(st.tuples(st.integers(0, 3), st.integers(0, 19)), min_size=1), st.integers(0, 5))
def test_negatives_are_never_anything_the_user_has(pairs: set[tuple[int, int]], seed: int) -> None:
    table = Interactions.from_pairs([u for u, _ in pairs], [i for _, i in pairs], users=4, items=20)
    out, again = np.empty((4, 15), np.int32), np.empty((4, 15), np.int32)
    draw_negatives(seed, table.start, table.item, 20, out)
    draw_negatives(seed, table.start, table.item, 20, again)
    assert np.array_equal(out, again)
    for u in range(4):
        own = set(table.of(u)[0].tolist())
        drawn = [i for i in out[u].tolist() if i >= 0]
        assert len(drawn) == len(set(drawn)) == min(15, 20 - len(own))
        assert not own & set(drawn)
