"""A kit is worth something when it refuses what is broken: each part below breaks one expectation."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import pytest

from tacit.core.compiled.compiling import kernel
from tacit.core.message.update import Draws, Update, reshape
from tacit.core.node_state import Field, Visibility
from tacit.core.registry import offered
from tacit.core.rng import Stream, below
from tacit.core.scorer import Scorer
from tacit.models import mf
from tacit.models.mf import MatrixFactorization
from tacit.peer_sampling.base import Pick
from tacit.peer_sampling.graphs import k_out
from tacit.testing import (
    check_baseline,
    check_graph,
    check_merge,
    check_metric,
    check_model,
    check_ranking,
    check_sampler,
    check_shield,
    check_split,
)


def test_kits_cost_nothing_until_they_are_used() -> None:
    code = (
        "import tacit.testing, sys; assert not {'numba', 'numpy', 'polars'} & set(sys.modules), sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_an_unknown_kit_is_an_attribute_error() -> None:
    import tacit.testing

    with pytest.raises(AttributeError, match="check_everything"):
        tacit.testing.check_everything  # type: ignore[attr-defined]  # noqa: B018


# Compiled code knows numbers, not classes.
INIT_ROWS, NEGATIVES, PEERS = Stream.INIT_ROWS, Stream.NEGATIVES, Stream.PEERS


# --- merges ---


@kernel
def half(age, their_age, shape):  # type: ignore[no-untyped-def]
    return np.float32(0.5)


@kernel
def twice(age, their_age, shape):  # type: ignore[no-untyped-def]
    return np.float32(2) * np.float32(their_age > 0)


@kernel
def undefined(age, their_age, shape):  # type: ignore[no-untyped-def]
    return np.float32(their_age) / np.float32(age + their_age)


@kernel
def wide(age, their_age, shape):  # type: ignore[no-untyped-def]
    return 0.5 if their_age > 0 else 0.0


@kernel
def wraps(age, their_age, shape):  # type: ignore[no-untyped-def]
    return np.float32(np.int32(age + their_age) > 0 and their_age > 0) - np.float32(
        np.int32(age + their_age) < 0
    )


@kernel
def uncompilable(age, their_age, shape):  # type: ignore[no-untyped-def]
    return np.float32(Stream.PEERS)


def plain(age: int, their_age: int, shape: float) -> np.float32:
    return np.float32(0)


@dataclass(frozen=True)
class AnyMerge:
    weight: Any
    shape: float = 0.0
    name: ClassVar[str] = "any"


@pytest.mark.parametrize(
    ("weight", "says"),
    [
        (half, "age 0 dilutes"),
        (twice, "allowed: 0 to 1"),
        (undefined, "allowed: 0 to 1"),  # 0 / 0
        (wide, "allowed: float32"),
        (wraps, "allowed: 0 to 1"),
        (uncompilable, r"cannot compile: Stream is no number.*_STREAM = .*test_kits.py, line \d+"),
        (plain, "under @kernel"),
    ],
)
def test_a_broken_merge_is_refused(weight: Any, says: str) -> None:
    with pytest.raises(AssertionError, match=says):
        check_merge(AnyMerge(weight))


def test_a_merge_needs_its_parts_and_to_be_made() -> None:
    with pytest.raises(AssertionError, match="has no weight"):
        check_merge(type("Empty", (), {"name": "empty"})())  # type: ignore[arg-type]
    with pytest.raises(AssertionError, match="got the class"):
        check_merge(type("Late", (), {"name": "late", "weight": half, "shape": 0.0}))  # type: ignore[arg-type]


# --- models ---


@kernel
def lazy_learn(node, own, draws, hyper):  # type: ignore[no-untyped-def]
    """Ages rows and never learns."""
    for i in own.items:
        node.ages[i] += 1


@kernel
def greedy_learn(node, own, draws, hyper):  # type: ignore[no-untyped-def]
    """Touches everything."""
    node.rows[:, :] = 0
    node.ages[:] += 1


@kernel
def ageless_learn(node, own, draws, hyper):  # type: ignore[no-untyped-def]
    for i in own.items:
        node.rows[i, 0] += np.float32(0.1)


@kernel
def exploding_learn(node, own, draws, hyper):  # type: ignore[no-untyped-def]
    for i in own.items:
        node.ages[i] += 1
        node.rows[i, 0] = np.inf


@kernel
def widening_learn(node, own, draws, hyper):  # type: ignore[no-untyped-def]
    """Reaches into the next row once a row is old."""
    for i in own.items:
        node.ages[i] += 1
        if node.ages[i] > 12:
            node.rows[i, node.rows.shape[1]] += 1


@kernel
def late_learn(node, own, draws, hyper):  # type: ignore[no-untyped-def]
    """The same at an event that only many passes come to."""
    for i in own.items:
        node.ages[i] += 1
        node.rows[i, 0] += np.float32(0.01)
        if draws[2] == 33:
            node.rows[i, node.rows.shape[1]] += 1


@kernel
def same_start(seed, node, rows, dense, hyper):  # type: ignore[no-untyped-def]
    """Every node starts with the same random rows."""
    for i in range(len(rows)):
        rows[i, 0] = below(0, INIT_ROWS, 0, i, 0, 1000)


class WithKernels(MatrixFactorization):
    """Matrix factorization with some kernels replaced."""


def broken(**kernels: Any) -> MatrixFactorization:
    kind = type("Broken", (WithKernels,), {"kernels": replace(MatrixFactorization.kernels, **kernels)})
    made: MatrixFactorization = kind()
    return made


def declared(**chosen: Visibility | None) -> MatrixFactorization:
    every = {f.name: f.visibility for f in MatrixFactorization.fields} | chosen
    fields = tuple(Field(name, kind, "words") for name, kind in every.items() if kind is not None)
    made: MatrixFactorization = type("Declared", (WithKernels,), {"fields": fields})()
    return made


@pytest.mark.parametrize(
    ("model", "says"),
    [
        (broken(learn=lazy_learn), "do not lower its own training error"),
        (broken(learn=greedy_learn), "learning from nothing"),
        (broken(learn=ageless_learn), "leaves its age at 0"),
        (broken(learn=exploding_learn), "not finite"),
        (broken(learn=widening_learn), r"learn: got index 6 is out of bounds .*test_kits.py, line \d+\)"),
        (
            broken(learn=late_learn),
            "model mf: got an index outside of an array; allowed: rows of row_width 6",
        ),
        (broken(init_rows=same_start), "two nodes start with the same"),
        (broken(score=plain), "under @kernel"),
        (declared(private=Visibility.SHARED), "declared SHARED"),
        (declared(private=None), "private part is not declared"),
        (declared(rows=None), "rows and ages are not declared"),
        (declared(dense=Visibility.SHARED), "exactly when it has numbers"),
        (declared(secret=Visibility.PRIVATE), "allowed: rows"),
    ],
)
def test_a_broken_model_is_refused(model: MatrixFactorization, says: str) -> None:
    with pytest.raises(AssertionError, match=says):
        check_model(model)


@kernel
def lift_learn(node, own, draws, hyper):  # type: ignore[no-untyped-def]
    """A crude ranker: lifts one's own items, lowers one sampled other."""
    for i in own.items:
        node.ages[i] += 1
        node.rows[i, 0] += np.float32(0.1)
    if len(own.items):
        other = below(draws[0], NEGATIVES, draws[1], draws[2], 0, len(node.rows))
        node.ages[other] += 1
        node.rows[other, 0] -= np.float32(0.05)


def test_a_ranker_may_touch_sampled_rows_and_is_judged_by_its_order() -> None:
    ranker = broken(learn=lift_learn)
    check_model(ranker, ratings=False)
    with pytest.raises(AssertionError, match="no data about"):
        check_model(ranker)
    assert mf.model is MatrixFactorization


# --- shields ---


@dataclass(frozen=True)
class Shield:
    change: Callable[[Update, np.ndarray, Draws], Any]

    def apply(self, update: Update, rated: np.ndarray, draws: Draws) -> Update:
        return self.change(update, rated, draws)  # type: ignore[no-any-return]


def in_place(update: Update, rated: np.ndarray, draws: Draws) -> Update:
    update.rows[:] = 0
    return update


CALLS: list[int] = []


def moody(update: Update, rated: np.ndarray, draws: Draws) -> Update:
    CALLS.append(0)
    return reshape(update, rows=update.rows + np.float32(len(CALLS)))


def first_rows(update: Update, rated: np.ndarray, draws: Draws) -> Update:
    index = np.array([3, 1], np.int32)
    return reshape(update, index=index, rows=update.rows[index], ages=update.ages[index])


def new_rows(update: Update, rated: np.ndarray, draws: Draws) -> Update:
    here = update.items if update.index is None else len(update.index)
    count = min(here, 5)
    index = np.arange(count, dtype=np.int32) + (0 if update.index is None else 20)
    return reshape(update, index=index, rows=update.rows[:count], ages=update.ages[:count])


def forgetful(update: Update, rated: np.ndarray, draws: Draws) -> Update:
    return reshape(update, rows=update.rows[:3], ages=update.ages[:3])


def noisy(update: Update, rated: np.ndarray, draws: Draws) -> Update:
    return reshape(update, rows=update.rows * np.float32(np.nan))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (in_place, "changes its input"),
        (moody, "another result for the same draws"),
        (first_rows, "not ascending"),
        (new_rows, "not in the update it got"),
        (forgetful, "without an index"),
        (noisy, "not finite"),
        (lambda update, rated, draws: update.rows, "allowed: an Update"),
        (lambda update, rated, draws: reshape(update, rows=update.rows.astype("f8")), "became float64"),
        (lambda update, rated, draws: reshape(update, ages=update.ages[:2]), "2 ages for"),
        (lambda update, rated, draws: reshape(update, items=7), "became 7 items"),
    ],
)
def test_a_broken_shield_is_refused(change: Callable[..., Any], says: str) -> None:
    with pytest.raises(AssertionError, match=says):
        check_shield(Shield(change))


def test_a_shield_that_does_nothing_is_one() -> None:
    check_shield(Shield(lambda update, rated, draws: update))


# --- metrics ---


@pytest.mark.parametrize(
    ("metric", "says"),
    [
        (lambda e: float(e[0]) if len(e) else None, "depends on the order"),
        (lambda e: float(np.sum(e)), "for no errors at all"),
        (lambda e: float("nan"), "on ordinary errors"),
        (lambda e: np.float64(1), "allowed: a Python float"),
        (lambda e: (e.sort(), 1.0)[1], "changes its input"),
    ],
)
def test_a_broken_metric_is_refused(metric: Callable[..., Any], says: str) -> None:
    with pytest.raises(AssertionError, match=says):
        check_metric(metric)


def mean(errors: np.ndarray) -> float | None:
    return float(np.mean(errors)) if len(errors) else None


@pytest.mark.parametrize(
    ("per_user", "says"),
    [
        (lambda e, start: np.zeros(len(start)), "one value per user"),
        (lambda e, start: np.zeros(len(start) - 1), "allowed: NaN"),
        (lambda e, start: np.where(np.diff(start) > 0, 7.0, np.nan), "alone it is"),
    ],
)
def test_a_broken_metric_per_user_is_refused(per_user: Callable[..., Any], says: str) -> None:
    with pytest.raises(AssertionError, match=says):
        check_metric(mean, per_user=per_user)


# --- peers ---


@dataclass(frozen=True)
class Own:
    """A sampler of somebody's own."""

    pick: Pick
    name: ClassVar[str] = "own"
    shape: ClassVar[float] = 0.0


@kernel
def always_first(seed, node, event, candidates, shape):  # type: ignore[no-untyped-def]
    return 0


@kernel
def beyond(seed, node, event, candidates, shape):  # type: ignore[no-untyped-def]
    return candidates


@kernel
def prefers_first(seed, node, event, candidates, shape):  # type: ignore[no-untyped-def]
    one = below(seed, PEERS, node, event, 0, candidates)
    return min(one, below(seed, PEERS, node, event, 1, candidates))


@pytest.mark.parametrize(
    ("pick", "says"),
    [
        (always_first, "does not depend"),
        (beyond, "picked 1 of 1"),
        (prefers_first, "equally likely"),
        (plain, "under @kernel"),
    ],
)
def test_a_broken_sampler_is_refused(pick: Callable[..., int], says: str) -> None:
    with pytest.raises(AssertionError, match=says):
        check_sampler(Own(pick))


def test_a_kernel_alone_is_no_sampler() -> None:
    with pytest.raises(AssertionError, match="has no name"):
        check_sampler(prefers_first)  # type: ignore[arg-type]


def test_a_sampler_may_have_favourites_when_it_says_so() -> None:
    check_sampler(Own(prefers_first), uniform=False)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda nodes, seed: k_out(nodes, 3, seed).astype(np.int64), "allowed: int32"),
        (lambda nodes, seed: k_out(nodes + 1, 3, seed), "one row per node"),
        (lambda nodes, seed: k_out(nodes, 3, seed) + np.int32(1), "do not all exist"),
        (lambda nodes, seed: np.arange(nodes, dtype=np.int32)[:, None], "knows itself"),
        (lambda nodes, seed: k_out(nodes, 3, seed)[:, ::-1], "not ascending"),
    ],
)
def test_a_broken_graph_is_refused(make: Callable[..., Any], says: str) -> None:
    with pytest.raises(AssertionError, match=says):
        check_graph(make)


def _first(hits: np.ndarray, relevant: np.ndarray) -> np.ndarray:
    return np.where(relevant > 0, hits[:, 0].astype(float), np.nan)


@pytest.mark.parametrize(
    ("metric", "says"),
    [
        (lambda h, r: _first(h, r)[:3], "one value per user"),
        (lambda h, r: (h.sort(axis=1), _first(h, r))[1], "changes its input"),
        (lambda h, r: h[:, 0].astype(float), "without held-out items; allowed: NaN"),
        (lambda h, r: _first(h, r) / 0.0, "no finite value"),
        (lambda h, r: _first(h, r) + np.arange(len(h)) * (r > 0), "depends on the others"),
        (lambda h, r: -_first(h, r), "no better than a list of misses"),
    ],
)
@pytest.mark.filterwarnings("ignore:divide by zero", "ignore:invalid value")
def test_a_broken_ranking_metric_is_refused(metric: Callable[..., Any], says: str) -> None:
    with pytest.raises(AssertionError, match=says):
        check_ranking(metric)


def test_every_ranking_metric_passes_its_kit() -> None:
    found = offered("tacit.metrics", "ranking")
    assert {"precision", "recall", "f1", "ndcg", "map", "mrr", "hr"} <= set(found)
    for metric in found.values():
        check_ranking(metric)


# --- baselines and splits ---


class Constant(Scorer):
    def __init__(self, users: int, items: int, fill: float) -> None:
        super().__init__(users, items)
        self.fill = fill

    def block(self, low: int, high: int, out: np.ndarray) -> None:
        out[:] = self.fill


@dataclass(frozen=True)
class AnyBaseline:
    make: Callable[..., Any]

    def fit(self, train: Any, seed: int, workers: Any) -> Any:
        return self.make(train)


FITS: list[int] = []


def changing(train: Any) -> Scorer:
    FITS.append(0)
    return Constant(train.users, train.items, len(FITS))


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda train: 3, "fit gives a int; allowed: a Scorer"),
        (lambda train: Constant(train.users, 3, 0.0), "allowed: all users and items"),
        (lambda train: Constant(train.users, train.items, np.nan), "that is no number"),
        (lambda train: Constant(train.users, train.items, np.inf), "a score of infinity"),
        (changing, "other scores for the same seed"),
    ],
)
def test_a_broken_baseline_is_refused(make: Callable[..., Any], says: str) -> None:
    with pytest.raises(AssertionError, match=says):
        check_baseline(AnyBaseline(make))


def test_a_baseline_needs_to_be_fitted() -> None:
    with pytest.raises(
        AssertionError, match=r"baseline Own has no fit; allowed: a part with fit\(train, seed, workers"
    ):
        check_baseline(Own(always_first))  # type: ignore[arg-type]
    check_baseline(AnyBaseline(lambda train: Constant(train.users, train.items, 1.0)))


@dataclass(frozen=True)
class AnySplit:
    hold: Callable[..., Any]

    def held_out(self, table: Any, seed: int) -> Any:
        return self.hold(table)


def moody_mask(table: Any) -> np.ndarray:
    CALLS.append(0)
    return np.arange(len(table)) % 5 == len(CALLS) % 5


@pytest.mark.parametrize(
    ("hold", "says"),
    [
        (lambda table: np.zeros(3, np.bool_), r"got bool of shape \(3,\)"),
        (lambda table: np.zeros(len(table)), "got float64"),
        (lambda table: np.zeros(len(table), np.bool_), "no test part"),
        (lambda table: np.ones(len(table), np.bool_), "all interactions in the test part"),
        (moody_mask, "something else the second time"),
    ],
)
def test_a_broken_split_is_refused(hold: Callable[..., Any], says: str) -> None:
    with pytest.raises(AssertionError, match=says):
        check_split(AnySplit(hold))


def test_a_model_whose_nodes_start_alike_is_checked_when_it_says_so() -> None:
    with pytest.raises(AssertionError, match="if they should: common_start=True"):
        check_model(broken(init_rows=same_start))
    with pytest.raises(AssertionError) as caught:
        check_model(broken(init_rows=same_start), common_start=True)
    assert "two nodes" not in str(caught.value)


def test_a_model_that_says_that_it_ranks_is_judged_by_its_order() -> None:
    ranker = broken(learn=lift_learn)
    kind = type("Ranker", (type(ranker),), {"evaluate": "full"})
    check_model(kind())
