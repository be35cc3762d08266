"""Parts from outside that reach outside of their arrays are refused before anything is compiled."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple

import numpy as np
import pytest

from tacit.core.compiled.compiling import kernel
from tacit.core.errors import BadInput
from tacit.core.interactions import Interactions
from tacit.experiment import prepare as preparing
from tacit.experiment.foreign_parts import (
    check_foreign,
    check_model_bounds,
    is_foreign,
    outside_explained,
    tried_nodes,
)
from tacit.experiment.prepare import prepare
from tacit.models.als import BiasedLeastSquares
from tacit.models.base import Kernels
from tacit.models.bias import Bias
from tacit.models.bpr import PairwiseRanking
from tacit.models.fm import FactorizationMachine
from tacit.models.gmf import GeneralizedMatrixFactorization
from tacit.models.ials import ImplicitLeastSquares
from tacit.models.mf import MatrixFactorization
from tacit.peer_sampling.base import NoSuchPeer
from tacit.peer_sampling.uniform import Uniform

TRAIN = Interactions.from_pairs([0, 0, 1], [0, 1, 2], [1, 5, 3], users=2, items=3)


def narrower(owner: type, part: str) -> Any:
    """The same model with one number too few in a part."""
    real = getattr(owner, part)
    size = property(lambda self: (real.fget(self) if isinstance(real, property) else real) - 1)
    return type("Narrow", (owner,), {part: size, "__module__": __name__})


MODELS = [MatrixFactorization, PairwiseRanking, GeneralizedMatrixFactorization]


@pytest.mark.parametrize(
    "owner", [*MODELS, Bias, BiasedLeastSquares, ImplicitLeastSquares, FactorizationMachine]
)
def test_models_that_stay_inside_pass(owner: Any) -> None:
    check_model_bounds(owner(), TRAIN, "float32")


@pytest.mark.parametrize("owner", MODELS)
def test_rows_that_are_one_number_too_narrow(owner: Any) -> None:
    model = narrower(owner, "row_width")()
    assert is_foreign(model)
    with pytest.raises(
        BadInput, match=r"^model \w+: \w+: got index \d+ is out of bounds .*row_width \d+.*line \d+"
    ):
        check_foreign(model, object(), TRAIN, "float32")


def test_a_private_part_that_is_too_small() -> None:
    with pytest.raises(BadInput, match=r"out of bounds"):
        check_foreign(narrower(GeneralizedMatrixFactorization, "private_size")(), object(), TRAIN, "float32")


def test_a_run_is_refused_in_one_line_before_it_starts(
    monkeypatch: pytest.MonkeyPatch, tiny: dict[str, Any]
) -> None:
    narrow = narrower(PairwiseRanking, "row_width")(k=4)
    monkeypatch.setattr(preparing, "build_model", lambda *args: narrow)
    with pytest.raises(
        BadInput, match=r"^model bpr: learn: got index 4 is out of bounds .* \(bpr.py, line \d+\)$"
    ):
        prepare("hegedus/gossip-merge", "synthetic", tiny)


class Table(NamedTuple):
    of_items: np.ndarray


@kernel
def look_up(node: Any, own: Any, draws: Any, hyper: Any) -> None:
    for i in own.items:
        node.private[0] += hyper.of_items[i]


@kernel
def raise_something(node: Any, own: Any, draws: Any, hyper: Any) -> None:
    raise KeyError("not an index")


def with_learning(learn: Any, hyper: Any) -> Any:
    mf = MatrixFactorization.kernels
    kernels = Kernels(mf.init_rows, mf.init_private, learn, mf.score, mf.unseen)
    return type("Own", (MatrixFactorization,), {"kernels": kernels, "hyper": lambda self: hyper})()


def test_what_is_looked_up_has_the_size_of_the_real_data() -> None:
    """Three items, where the small arrays of other models have eight rows."""
    check_model_bounds(with_learning(look_up, Table(np.zeros(3))), TRAIN, "float32")
    with pytest.raises(BadInput, match=r"^model mf: learn: got index 1 is out of bounds"):
        check_model_bounds(with_learning(look_up, Table(np.zeros(1))), TRAIN, "float32")


@kernel
def one_place_per_rating(node: Any, own: Any, draws: Any, hyper: Any) -> None:
    for n in range(len(own.items)):
        node.private[n] = own.values[n]


@kernel
def one_place_per_item(node: Any, own: Any, draws: Any, hyper: Any) -> None:
    for i in own.items:
        node.private[i // 40] += 1


@kernel
def first_rating(node: Any, own: Any, draws: Any, hyper: Any) -> None:
    node.private[0] = own.values[0]


UNEQUAL = Interactions.from_pairs([0] * 9 + [1], [*range(9), 399], [3] * 10, users=3, items=400)
"""Somebody has nine ratings, somebody one about the last of many items, and somebody none."""


@pytest.mark.parametrize(
    ("learn", "says"),
    [
        (one_place_per_rating, "index 6 is out of bounds"),
        (one_place_per_item, "index 9 is out of bounds"),
        (first_rating, "index 0 is out of bounds"),
    ],
    ids=["most ratings", "last item", "fewest ratings"],
)
def test_what_grows_with_the_data_is_tried_at_its_real_size(learn: Any, says: str) -> None:
    model = with_learning(learn, MatrixFactorization().hyper())
    assert model.private_size == 6
    with pytest.raises(BadInput, match=rf"^model mf: learn: got {says} .*private_size 6"):
        check_model_bounds(model, UNEQUAL, "float32")


def test_only_a_few_nodes_are_tried() -> None:
    many = np.repeat(np.arange(500), 100)
    table = Interactions.from_pairs(many, np.tile(np.arange(100), 500), np.ones(50_000), users=500, items=100)
    assert 1 < len(tried_nodes(table)) <= 7


@kernel
def no_number(rows: Any, dense: Any, private: Any, item: int, hyper: Any) -> float:
    return np.nan


@kernel
def endless(rows: Any, dense: Any, private: Any, item: int, hyper: Any) -> float:
    return -np.inf


@kernel
def no_guess(private: Any, hyper: Any) -> float:
    return np.nan


@kernel
def run_away(node: Any, own: Any, draws: Any, hyper: Any) -> None:
    node.rows[:] = np.inf
    node.private[:] = -np.inf


@pytest.mark.parametrize(
    ("kernel_name", "wrong", "got"),
    [("score", no_number, "nan"), ("score", endless, "-inf"), ("unseen", no_guess, "nan")],
)
def test_a_score_that_is_not_a_number(kernel_name: str, wrong: Any, got: str) -> None:
    kernels = replace(MatrixFactorization.kernels, **{kernel_name: wrong})
    model: Any = type("Own", (MatrixFactorization,), {"kernels": kernels})()
    with pytest.raises(BadInput, match=rf"^model mf: {kernel_name}: got {got}; allowed: a finite number \("):
        check_model_bounds(model, TRAIN, "float32")


def test_a_model_that_runs_away_is_left_to_the_run_s_notes() -> None:
    check_model_bounds(with_learning(run_away, MatrixFactorization().hyper()), TRAIN, "float32")


def test_other_mistakes_are_left_to_those_who_say_them_better() -> None:
    check_model_bounds(with_learning(raise_something, Table(np.zeros(3))), TRAIN, "float32")


@kernel
def too_wide_when_old(node: Any, own: Any, draws: Any, hyper: Any) -> None:
    for i in own.items:
        if node.ages[i] > 12:
            node.rows[i, node.rows.shape[1]] += 1


@kernel
def too_wide_when_late(node: Any, own: Any, draws: Any, hyper: Any) -> None:
    if draws[2] > 3:
        node.private[len(node.private)] = 1


@pytest.mark.parametrize("learn", [too_wide_when_old, too_wide_when_late])
@pytest.mark.parametrize(
    "hyper", [MatrixFactorization().hyper(), Table(np.zeros(3))], ids=["small", "looked up"]
)
def test_what_happens_late_is_tried(learn: Any, hyper: Any) -> None:
    with pytest.raises(BadInput, match=r"^model mf: learn: got index 6 is out of bounds .*line \d+\)$"):
        check_model_bounds(with_learning(learn, hyper), TRAIN, "float32")


@kernel
def says_nothing(rows: Any, dense: Any, private: Any, item: int, hyper: Any) -> None:
    rows[item, 0] + private[0]


def test_a_score_without_return() -> None:
    kernels = replace(MatrixFactorization.kernels, score=says_nothing)
    model: Any = type("Own", (MatrixFactorization,), {"kernels": kernels})()
    with pytest.raises(
        BadInput, match=r"^model mf: score: got None; allowed: a number \(.*parts.py, line \d+"
    ):
        check_model_bounds(model, TRAIN, "float32")


@kernel
def too_far(seed: int, node: int, event: int, candidates: int, shape: float) -> int:
    return candidates


@dataclass(frozen=True)
class Careless:
    name: ClassVar[str] = "careless"
    shape: ClassVar[float] = 0.0
    pick: Any = too_far


@dataclass(frozen=True)
class Holder:
    peers: Any


def test_a_sampler_that_picks_nobody() -> None:
    with pytest.raises(
        BadInput,
        match=r"^sampler careless: pick: got place 1 of 1; allowed: 0 to 0 \(.*parts.py, line \d+\)$",
    ):
        check_foreign(MatrixFactorization(), Holder(Careless()), TRAIN, "float32")
    check_foreign(MatrixFactorization(), Holder(Uniform()), TRAIN, "float32")


@kernel
def half_a_peer(seed: int, node: int, event: int, candidates: int, shape: float) -> float:
    return candidates / 2


@kernel
def no_peer(seed: int, node: int, event: int, candidates: int, shape: float) -> None:
    pass


@kernel
def too_far_late(seed: int, node: int, event: int, candidates: int, shape: float) -> int:
    return candidates if event == 500 or event > 900 else 0


@pytest.mark.parametrize(
    ("pick", "says"),
    [
        (half_a_peer, "got 0.5; allowed: a whole number"),
        (no_peer, "got None; allowed: a whole number"),
        (too_far_late, "got place 1 of 1; allowed: 0 to 0"),
    ],
)
def test_what_a_sampler_must_not_give(pick: Any, says: str) -> None:
    holder = Holder(Careless(pick))
    with pytest.raises(BadInput, match=rf"^sampler careless: pick: {says} \(.*parts.py, line \d+\)$"):
        check_foreign(MatrixFactorization(), holder, TRAIN, "float32")


@kernel
def no_weight(age: int, their_age: int, shape: float) -> None:
    pass


@kernel
def heavy(age: int, their_age: int, shape: float) -> np.float32:
    return np.float32(50) if their_age > 5 else np.float32(1)


@kernel
def nothing_of_nothing(age: int, their_age: int, shape: float) -> np.float32:
    return np.float32(their_age / (age + their_age))


@kernel
def share(age: int, their_age: int, shape: float) -> np.float32:
    return np.float32(their_age / max(age + their_age, 1))


@dataclass(frozen=True)
class AnyMerge:
    weight: Any
    shape: ClassVar[float] = 0.0
    name: ClassVar[str] = "any"


@pytest.mark.parametrize(
    ("weight", "says"),
    [
        (no_weight, "got None for ages 0 and 0"),
        (heavy, "got 50.0 for ages 0 and 10"),
        (nothing_of_nothing, "got nan for ages 0 and 0"),
    ],
)
def test_what_a_merge_must_not_give(weight: Any, says: str) -> None:
    allowed = r"allowed: a number from 0 to 1 \(.*parts.py, line \d+\)$"
    with pytest.raises(BadInput, match=rf"^merge any: weight: {says}; {allowed}"):
        check_foreign(MatrixFactorization(), Holder(AnyMerge(weight)), TRAIN, "float32")
    check_foreign(MatrixFactorization(), Holder(AnyMerge(share)), TRAIN, "float32")


def test_an_index_outside_during_a_run_names_its_part() -> None:
    narrow = narrower(PairwiseRanking, "row_width")(k=4)
    with (
        pytest.raises(
            BadInput, match=r"^model bpr: got an index outside of an array; allowed: rows of row_width 4"
        ),
        outside_explained(narrow, Holder(Uniform())),
    ):
        raise IndexError("index is out of bounds")
    with (
        pytest.raises(BadInput, match=r"^sampler careless: pick: got place 9 of 7; allowed: 0 to 6 \(.*line"),
        outside_explained(MatrixFactorization(), Holder(Careless())),
    ):
        raise NoSuchPeer(9, 7)
    with pytest.raises(IndexError), outside_explained(MatrixFactorization(), Holder(Uniform())):
        raise IndexError("index is out of bounds")  # ours: no part of theirs to name
    with pytest.raises(IndexError), outside_explained(narrow, Holder(Uniform())):
        [][0]  # of plain Python, which says it itself
