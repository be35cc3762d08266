from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tacit.core.rng import Stream, normals, uniforms
from tacit.experiment.result import Cost, Result
from tacit.experiment.significance import holm, p_values, paired_tests, user_means


def run_of(
    recipe: str, values: dict[str, float | None], seed: int = 0, counts: Sequence[int] | None = None
) -> Result:
    """Users' RMSE, each over one test rating or as many as given; the run's is that of all ratings together."""
    each = pl.DataFrame({"user": list(values), "rmse": pl.Series(list(values.values()), dtype=pl.Float64)})
    weight = np.ones(len(values)) if counts is None else np.array(counts, float)
    if counts is not None:
        each = each.with_columns(test=pl.Series(list(counts)))
    there = [(v, w) for v, w in zip(values.values(), weight, strict=True) if v is not None]
    pooled = float(np.sqrt(sum(w * v * v for v, w in there) / sum(w for _, w in there)))
    return Result(recipe, seed, {}, {}, {}, {"rmse": pooled, "evenness@10": 0.5}, [], Cost(), each)


def run_with(recipe: str, values: Sequence[float], seed: int = 0, shown: float | None = None) -> Result:
    """Users' precision; the run's is their mean."""
    each = pl.DataFrame({"user": [f"u{n}" for n in range(len(values))], "precision@10": values})
    shown = float(np.mean(values)) if shown is None else shown
    return Result(recipe, seed, {"evaluate": "full"}, {}, {}, {"precision@10": shown}, [], Cost(), each)


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


def test_of_means_over_users_the_parts_are_the_users_own_differences() -> None:
    a = [[0.1, 0.4, 0.3, 0.9, 0.2], [0.3, 0.2, 0.5, 0.7, 0.6]]
    b = [[0.2, 0.1, 0.3, 0.4, 0.1], [0.1, 0.2, 0.3, 0.8, 0.2]]
    (test,) = paired_tests(
        {
            "a": [run_with("a", v, n) for n, v in enumerate(a)],
            "b": [run_with("b", v, n) for n, v in enumerate(b)],
        }
    )
    own = np.mean(a, axis=0) - np.mean(b, axis=0)
    assert test.mean_difference == pytest.approx(own.mean())
    assert test.t_p == pytest.approx(stats.ttest_1samp(own, 0).pvalue)
    assert test.wilcoxon_p == pytest.approx(stats.wilcoxon(own).pvalue)
    assert (test.low, test.high) == pytest.approx(stats.ttest_1samp(own, 0).confidence_interval())
    assert test.effect_size == pytest.approx(own.mean() / own.std(ddof=1))
    assert test.users == 5


def made_up(users: int, gain: float) -> tuple[Result, Result]:
    """Two runs on the same users; those with many ratings gain, the others do not."""
    draws = normals(3, Stream.SYNTHETIC, 0, users, 3)
    counts = (2 + 10 * draws[:, 0] ** 2).astype(int)
    base = 1 + 0.1 * np.abs(draws[:, 1])
    other = base + 0.02 * draws[:, 2] - gain * (counts > 10)
    names = [f"u{n}" for n in range(users)]
    a, b = (
        run_of("x", dict(zip(names, v.tolist(), strict=True)), counts=counts.tolist()) for v in (base, other)
    )
    return a, b


@pytest.mark.parametrize("gain", [0.0, 0.005, 0.02])
def test_pooled_errors_are_tested_as_the_table_shows_them(gain: float) -> None:
    a, b = made_up(300, gain)
    (test,) = paired_tests({"a": [a], "b": [b]})
    assert test.mean_difference == pytest.approx(a.metrics["rmse"] - b.metrics["rmse"])
    assert test.mean_difference != pytest.approx((a.per_user["rmse"] - b.per_user["rmse"]).mean(), rel=0.1)
    # A permutation test of the same difference: users' values change sides by chance.
    weight = a.per_user["test"].to_numpy()
    squares = np.array([run.per_user["rmse"].to_numpy() ** 2 * weight for run in (a, b)])
    swap = uniforms(5, Stream.SYNTHETIC, 0, 4000, 300) < 0.5
    sums = [swap @ squares[s] + (~swap) @ squares[1 - s] for s in (0, 1)]
    by_chance = np.sqrt(sums[0] / weight.sum()) - np.sqrt(sums[1] / weight.sum())
    p = float((np.abs(by_chance) >= abs(test.mean_difference)).mean())
    assert test.t_p == pytest.approx(p, abs=0.03)
    assert test.low < test.mean_difference < test.high
    assert (test.low > 0) == (test.t_p < 0.05)


def test_the_interval_of_a_pooled_error_is_the_bootstraps() -> None:
    a, b = made_up(300, 0.005)
    (test,) = paired_tests({"a": [a], "b": [b]})
    weight = a.per_user["test"].to_numpy()
    squares = [run.per_user["rmse"].to_numpy() ** 2 * weight for run in (a, b)]
    drawn = (uniforms(7, Stream.SYNTHETIC, 0, 4000, 300) * 300).astype(int)
    of = [np.sqrt(s[drawn].sum(axis=1) / weight[drawn].sum(axis=1)) for s in squares]
    low, high = np.percentile(of[0] - of[1], [2.5, 97.5])
    assert (test.low, test.high) == pytest.approx((low, high), abs=0.1 * (high - low))


def test_what_users_values_do_not_add_up_to_is_not_tested() -> None:
    """A vote of all models is right more often than any of them; nothing can be said of it user by user."""
    voted, alone = run_with("a", [0.5, 0.6, 0.7], shown=0.9), run_with("b", [0.4, 0.4, 0.3])
    assert paired_tests({"a": [voted], "b": [alone]}) == []


def test_only_users_who_are_online_count() -> None:
    away = run_with("a", [0.5, 0.6, 0.1], shown=0.55)
    away = replace(away, per_user=away.per_user.with_columns(online=pl.Series([True, True, False])))
    (test,) = paired_tests({"a": [away], "b": [run_with("b", [0.4, 0.4, 0.3])]})
    assert test.users == 2
    assert test.mean_difference == pytest.approx(0.15)


def test_pairs_are_matched_by_user_not_by_place() -> None:
    many = {f"u{i}": 1.0 + i / 10 for i in range(12)}
    worse = dict(reversed([(u, v + 0.2 + 0.01 * (i % 3)) for i, (u, v) in enumerate(many.items())]))
    a, b = run_of("a", many), run_of("b", worse)
    (test,) = paired_tests({"a": [a], "b": [b]})
    assert (test.metric, test.a, test.b, test.significant) == ("rmse", "a", "b", True)
    assert test.mean_difference == pytest.approx(a.metrics["rmse"] - b.metrics["rmse"])
    assert test.t_p_holm == test.t_p


def test_three_settings_make_three_pairs_corrected_together() -> None:
    base = {f"u{i}": float(i) for i in range(10)}
    noisy = {u: v + (-1) ** i * 0.1 for i, (u, v) in enumerate(base.items())}
    better = {u: v - 1 - 0.01 * i for i, (u, v) in enumerate(base.items())}
    tests = paired_tests({n: [run_of(n, v)] for n, v in (("a", base), ("b", noisy), ("c", better))})
    assert [(t.a, t.b) for t in tests] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert [t.significant for t in tests] == [False, True, True]
    assert [t.wilcoxon_p_holm for t in tests] == pytest.approx(holm([t.wilcoxon_p for t in tests]))
