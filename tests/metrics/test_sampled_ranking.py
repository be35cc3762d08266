import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.core.interactions import Interactions, Ints
from tacit.core.math.ties import tie_key
from tacit.core.scorer import Scores
from tacit.metrics.sampled_ranking import Ranks, draw_negatives, ranks, sampled_metrics


def found_with(scores: Scores, among: Scores, start: Ints, seed: int = 0) -> Ranks:
    """Held-out items are 0, 1, ..., negatives 1000, 1001, ..."""
    negatives = np.tile(1000 + np.arange(among.shape[1], dtype=np.int32), (len(among), 1))
    item = np.concatenate([np.arange(n, dtype=np.int32) for n in np.diff(start)])
    return ranks(seed, start, item, scores, negatives, among)


def test_a_constant_scorer_has_the_chance_level() -> None:
    users, held, count = 4000, 2, 100
    start = np.arange(users + 1) * held
    found = found_with(np.ones(users * held), np.ones((users, count)), start)
    assert found.tied.all()
    metrics = sampled_metrics(start, found.alone, found.pooled, (5, 10, 20))
    assert set(metrics) == {f"{name}@{k}" for name in ("hr", "ndcg", "f1") for k in (5, 10, 20)}
    for k in (5, 10, 20):
        chance = k / (count + 1)
        near = 4 * math.sqrt(chance / (users * held))
        assert metrics[f"hr@{k}"].mean() == pytest.approx(chance, abs=near)
        gain = sum(1 / math.log2(place + 1) for place in range(1, k + 1)) / (count + 1)
        assert metrics[f"ndcg@{k}"].mean() == pytest.approx(gain, abs=near)
        hits = held * k / (count + held)
        assert metrics[f"f1@{k}"].mean() == pytest.approx(2 * hits / (k + held), abs=near)


def test_what_has_no_score_ranks_last() -> None:
    start = np.array([0, 1])
    found = found_with(np.array([-np.inf]), np.array([[-np.inf, -np.inf, 1.0, np.nan]]), start)
    assert (found.alone.tolist(), found.tied.tolist()) == ([3], [False])


@settings(deadline=None)
@given(st.data(), st.integers(0, 3))
def test_as_a_sort_by_score_and_key(data: st.DataObject, seed: int) -> None:
    cells = st.integers(-1, 1).map(float)
    scores = np.array(data.draw(st.lists(cells, min_size=1, max_size=5)))
    among = np.array([data.draw(st.lists(cells, min_size=1, max_size=6))])
    found = found_with(scores, among, np.array([0, len(scores)]), seed)
    negatives = [(-s, -int(tie_key(seed, 0, 1000 + m))) for m, s in enumerate(among[0])]
    held = [(-s, -int(tie_key(seed, 0, n))) for n, s in enumerate(scores)]
    for n, own in enumerate(held):
        assert found.alone[n] == sorted([*negatives, own]).index(own)
        assert found.pooled[n] == sorted([*negatives, *held]).index(own)
        assert found.tied[n] == (scores[n] in among[0])


def test_by_hand() -> None:
    start = np.array([0, 2, 2])
    scores = np.array([9.0, 4.5])
    among = np.array([[8.0, 7.0, 6.0, 5.0, 4.0, np.nan], [1.0, 1, 1, 1, 1, 1]])
    alone, pooled, tied = found_with(scores, among, start)
    assert not tied.any()
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
