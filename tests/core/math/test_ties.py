import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tacit.core.math.ties import best_first, tie_key


def test_every_user_seed_and_item_has_a_key_of_its_own() -> None:
    keys = {tie_key(seed, user, item) for seed in range(5) for user in range(20) for item in range(50)}
    assert len(keys) == 5 * 20 * 50
    assert tie_key(3, 7, 11) == tie_key(3, 7, 11)


@given(st.lists(st.integers(0, 3), min_size=1, max_size=12), st.integers(0, 14), st.integers(0, 5))
def test_as_a_sort_by_score_and_key(values: list[int], n: int, user: int) -> None:
    scores = np.array(values, float)
    order = sorted(range(len(values)), key=lambda i: (-scores[i], -int(tie_key(4, user, i))))
    assert best_first(scores, n, 4, user).tolist() == order[:n]


def test_what_is_no_number_comes_last() -> None:
    assert best_first(np.array([np.nan, 0.0, 1.0]), 3, 0, 0).tolist() == [2, 1, 0]


def test_each_of_many_equal_items_comes_first_equally_often() -> None:
    first = [int(best_first(np.zeros(10), 1, 0, user)[0]) for user in range(5000)]
    counts = np.bincount(first, minlength=10)
    assert ((counts - 500) ** 2 / 500).sum() < 27.9, "chi squared with 9 degrees of freedom, p 0.001"
