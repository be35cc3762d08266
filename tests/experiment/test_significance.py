from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tacit.experiment.result import Cost, Result
from tacit.experiment.significance import holm, p_values, paired_tests, user_means


def run_of(recipe: str, values: dict[str, float | None], seed: int = 0) -> Result:
    each = pl.DataFrame({"user": list(values), "rmse": pl.Series(list(values.values()), dtype=pl.Float64)})
    return Result(recipe, seed, {}, {}, {}, {"rmse": 0.0, "evenness@10": 0.5}, [], Cost(), each)


def test_holm_worked_by_hand() -> None:
    # 0.005 * 4, 0.01 * 3, 0.03 * 2, and 0.04 * 1 which may not fall below 0.06.
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.5, 0.9]) == [1.0, 1.0]
    assert holm([]) == []


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_only_raises_keeps_the_order_and_stays_below_bonferroni(p: list[float]) -> None:
    adjusted = holm(p)
    for before, after in zip(p, adjusted, strict=True):
        assert before <= after <= min(1.0, before * len(p))
    order = sorted(range(len(p)), key=p.__getitem__)
    assert [adjusted[i] for i in order] == sorted(adjusted)


def test_p_values_are_those_of_the_paired_tests() -> None:
    a = np.array([1.1, 0.9, 1.4, 1.3, 0.8, 1.2, 1.25, 0.95])
    b = np.array([1.0, 0.95, 1.1, 1.0, 0.85, 1.0, 1.05, 1.0])
    t, w = p_values(a - b)
    assert t == pytest.approx(stats.ttest_rel(a, b).pvalue)
    assert w == pytest.approx(stats.wilcoxon(a, b).pvalue)


def test_t_worked_by_hand() -> None:
    # Differences 1, 2, 3: mean 2, sd 1, t = 2 sqrt(3) with 2 degrees of freedom;
    # there P(|T| > t) = 1 - t / sqrt(t^2 + 2) = 1 - sqrt(12 / 14).
    assert p_values(np.array([1.0, 2.0, 3.0]))[0] == pytest.approx(1 - (12 / 14) ** 0.5)
    # Three differences of one sign: the extreme two of 2^3 sign patterns.
    assert p_values(np.array([1.0, 2.0, 3.0]))[1] == pytest.approx(2 / 8)


def test_nothing_to_tell_apart_is_not_significant() -> None:
    assert p_values(np.zeros(20)) == (1.0, 1.0)
    assert p_values(np.array([3.0])) == (1.0, 1.0)
    assert p_values(np.full(20, 0.5))[0] == 0.0


def test_a_users_values_are_averaged_over_seeds_and_missing_ones_left_out() -> None:
    runs = [run_of("a", {"x": 1.0, "y": 2.0, "z": None}), run_of("a", {"x": 3.0, "y": None, "z": None}, 1)]
    assert dict(user_means(runs, "rmse").iter_rows()) == {"x": 2.0, "y": 2.0}


def test_pairs_are_matched_by_user_not_by_place() -> None:
    many = {f"u{i}": 1.0 + i / 10 for i in range(12)}
    worse = dict(reversed([(u, v + 0.2 + 0.01 * (i % 3)) for i, (u, v) in enumerate(many.items())]))
    (test,) = paired_tests({"a": [run_of("a", many)], "b": [run_of("b", worse)]})
    assert (test.metric, test.a, test.b, test.significant) == ("rmse", "a", "b", True)
    assert test.mean_difference == pytest.approx(-0.21)
    assert test.t_p_holm == test.t_p


def test_three_settings_make_three_pairs_corrected_together() -> None:
    base = {f"u{i}": float(i) for i in range(10)}
    noisy = {u: v + (-1) ** i * 0.1 for i, (u, v) in enumerate(base.items())}
    better = {u: v - 1 - 0.01 * i for i, (u, v) in enumerate(base.items())}
    tests = paired_tests({n: [run_of(n, v)] for n, v in (("a", base), ("b", noisy), ("c", better))})
    assert [(t.a, t.b) for t in tests] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert [t.significant for t in tests] == [False, True, True]
    assert [t.wilcoxon_p_holm for t in tests] == pytest.approx(holm([t.wilcoxon_p for t in tests]))
