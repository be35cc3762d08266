import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tacit.core.compiled.threads import Workers
from tacit.core.interactions import Interactions
from tacit.core.math.ties import tie_key
from tacit.core.scorer import Scorer, Scores
from tacit.metrics import top_k
from tacit.metrics.top_k import Lists, hits_of, top_lists


class Table(Scorer):
    """Scores that are simply there."""

    def __init__(self, scores: Scores) -> None:
        super().__init__(*scores.shape)
        self.scores = scores

    def block(self, low: int, high: int, out: Scores) -> None:
        out[:] = self.scores[low:high]


def nothing_known(users: int, items: int) -> Interactions:
    return Interactions.from_pairs([], [], users=users, items=items)


def lists_of(
    scores: Scores, known: Interactions | None = None, k: int = 3, seed: int = 0, threads: int = 1
) -> Lists:
    known = known or nothing_known(*scores.shape)
    wanted = np.ones(len(scores), bool)
    return top_lists(Table(scores), known, wanted, k, seed=seed, workers=Workers(threads)).lists


def test_training_items_are_left_out() -> None:
    scores = np.array([[1.0, 5.0, 7.0, 4.0, 2.0]])
    known = Interactions.from_pairs([0], [2], users=1, items=5)
    assert lists_of(scores, known).tolist() == [[1, 3, 4]]


def test_a_short_list_is_filled_with_minus_one() -> None:
    assert lists_of(np.array([[1.0, -np.inf, np.nan]])).tolist() == [[0, -1, -1]]


def test_users_who_are_not_wanted_get_no_list() -> None:
    scores = np.array([[2.0, 1.0, 0.0]] * 2)
    found = top_lists(
        Table(scores), nothing_known(2, 3), np.array([False, True]), 2, seed=0, workers=Workers(1)
    )
    assert found.lists.tolist() == [[-1, -1], [0, 1]]


tables = st.tuples(st.integers(1, 6), st.integers(1, 12)).flatmap(
    lambda size: arrays(np.float64, size, elements=st.integers(-3, 3).map(float))
)


@settings(deadline=None)
@given(st.data(), tables, st.integers(0, 3))
def test_as_a_sort_by_score_and_key_whatever_the_threads(
    data: st.DataObject, scores: Scores, seed: int
) -> None:
    users, items = scores.shape
    k = data.draw(st.integers(1, items))
    pairs = data.draw(st.sets(st.tuples(st.integers(0, users - 1), st.integers(0, items - 1))))
    known = Interactions.from_pairs([u for u, _ in pairs], [i for _, i in pairs], users=users, items=items)
    found = top_lists(Table(scores), known, np.ones(users, bool), k, seed=seed, workers=Workers(1))
    for u in range(users):
        free = [i for i in range(items) if (u, i) not in pairs]
        best = sorted(free, key=lambda i: (-scores[u, i], -int(tie_key(seed, u, i))))[:k]
        assert found.lists[u].tolist() == best + [-1] * (k - len(best))
        tied = [i for i in best if any(scores[u, i] == scores[u, j] for j in free if j != i)]
        assert found.tied[u] == len(tied)
    assert np.array_equal(found.lists, lists_of(scores, known, k, seed, threads=3))


def test_blocks_of_users_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    scores = np.zeros((20, 9))
    whole = lists_of(scores)
    monkeypatch.setattr(top_k, "blocks", lambda users, items: [(u, u + 1) for u in range(users)])
    assert np.array_equal(whole, lists_of(scores))


def test_a_constant_scorer_has_the_chance_level() -> None:
    """The held-out item is the first of the catalogue: any rule that prefers early or late ones would show."""
    lists = lists_of(np.zeros((20_000, 50)), k=10)
    assert (lists == 0).any(axis=1).mean() == pytest.approx(0.2, abs=4 * math.sqrt(0.2 * 0.8 / 20_000))


def test_relabelling_the_catalogue_changes_no_expected_metric() -> None:
    """Three levels of scores, the catalogue in one order and in the reverse one."""
    level = np.arange(60) % 3
    scores = np.tile(level.astype(float), (20_000, 1))
    held = 5  # among the twenty items of the highest level
    one = (lists_of(scores, k=10) == held).any(axis=1).mean()
    other = (lists_of(scores[:, ::-1].copy(), k=10) == 59 - held).any(axis=1).mean()
    assert one == pytest.approx(0.5, abs=0.015)
    assert other == pytest.approx(0.5, abs=0.015)


def test_hits_are_the_held_out_items() -> None:
    lists = np.array([[3, 1, -1], [0, 2, 1]], np.int32)
    held = Interactions.from_pairs([0, 0, 1], [1, 4, 0], users=2, items=5)
    assert hits_of(lists, held.start, held.item).tolist() == [[False, True, False], [True, False, False]]
