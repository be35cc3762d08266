"""Parts as objects in Python: the same run as by name, to the last bit; mixed with recipes; and with mistakes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import tacit
from tacit.baselines import ItemKNN
from tacit.core.errors import BadInput
from tacit.merges import AgeAverage, KeepOldest, Polynomial
from tacit.models import BPR, MF
from tacit.privacy import Disclosure
from tacit.protocols import Federated, FittedBaseline, Gossip

SMALL = {"data.users": 30, "data.items": 40, "data.interactions": 400, "rounds": 3}


def run(*names: str, settings: dict[str, Any] | None = None, **given: Any) -> tacit.Result:
    return tacit.run(
        *names, data="synthetic", settings={**SMALL, **(settings or {})}, progress=False, **given
    )


def same(one: tacit.Result, two: tacit.Result) -> bool:
    figures = one.metrics == two.metrics and one.curve == two.curve
    return figures and one.parameters == two.parameters and one.per_user.equals(two.per_user, null_equal=True)


def test_a_baseline_alone_is_a_protocol() -> None:
    settings = {"data.users": 30, "data.items": 40, "data.interactions": 400}
    alone, spelled = (
        tacit.run(data="synthetic", settings=settings, progress=False, **given)
        for given in ({"baseline": ItemKNN(k=5)}, {"protocol": FittedBaseline(baseline=ItemKNN(k=5))})
    )
    assert same(alone, spelled)


@pytest.mark.parametrize(
    ("given", "name", "settings"),
    [
        (
            {"protocol": Gossip(merge=AgeAverage()), "model": MF(k=8), "seed": 1},
            "gossip",
            {"merge": "age-average", "model": "mf", "model.k": 8},
        ),
        (
            {"protocol": Gossip(merge=Polynomial(degree=3.0), shield=Disclosure(pi=0.25), subsample=0.5)},
            "gossip",
            {
                "merge": "polynomial",
                "merge.degree": 3,
                "shield": "disclosure",
                "shield.pi": 0.25,
                "subsample": 0.5,
            },
        ),
        ({"protocol": Gossip(), "model": BPR(k=4)}, "gossip", {"model": "bpr", "model.k": 4}),
        ({"protocol": FittedBaseline(baseline=ItemKNN())}, "baseline", {"baseline": "item-knn"}),
        ({"protocol": Gossip, "merge": KeepOldest()}, "gossip", {"merge": "keep-oldest"}),
        ({"protocol": "gossip", "model": "mf"}, "gossip", {}),
    ],
)
def test_objects_and_names_give_the_same_bits(
    given: dict[str, Any], name: str, settings: dict[str, Any]
) -> None:
    assert same(run(**given), run(name, settings=settings, seed=given.get("seed", 0)))


def test_without_a_recipe_a_fifth_is_held_out_and_the_model_says_how_it_is_measured() -> None:
    ratings, ranks = run(protocol=Gossip()), run(protocol=Gossip(), model=BPR())
    for result in (ratings, ranks):
        assert (result.split["kind"], result.split["share"]) == ("random-share", 0.2)
    assert "rmse" in ratings.metrics
    assert "ndcg@10" in ranks.metrics
    assert ratings.recipe == "gossip"


def test_an_object_beside_a_recipe_takes_the_place_of_its_own_part() -> None:
    mixed = run("hegedus/gossip-10", model=MF(k=2), settings={"split.n": 3})
    by_name = run("hegedus/gossip-10", settings={"model.k": 2, "split.n": 3})
    assert mixed.parameters["subsample"] == 0.1
    # A recipe's values give way to an object's, also to those it was not given.
    assert mixed.parameters["model.eta"] == MF().eta
    assert {k: v for k, v in mixed.parameters.items() if not k.startswith("model.")} == {
        k: v for k, v in by_name.parameters.items() if not k.startswith("model.")
    }
    changed = run("hegedus/gossip-10", model=MF(k=2), settings={"split.n": 3, "model.k": 7})
    assert changed.parameters["model.k"] == 7


def test_data_may_be_a_frame() -> None:
    rows = [
        (f"u{u}", f"i{(u * 7 + n * 3) % 20}", float(1 + (u + n) % 5)) for u in range(12) for n in range(9)
    ]
    frame = pl.DataFrame(rows, schema=["user", "item", "rating"], orient="row").unique(["user", "item"])
    result = tacit.run(
        protocol=Gossip(), model=MF(k=2), data=frame, seed=1, settings={"rounds": 2}, progress=False
    )
    assert result.data["users"] == 12
    assert result.metrics["rmse"] > 0


def test_compare_and_sweep_take_objects() -> None:
    found = tacit.compare(["gossip", "federated"], "synthetic", model=MF(k=2), settings=SMALL, progress=False)
    assert {result.parameters["model.k"] for result in found.results} == {2}
    assert [result.recipe for result in found.results] == ["gossip", "federated"]
    search = tacit.sweep(
        protocol=Federated(),
        model=MF(k=2),
        vary={"model.k": [1, 3]},
        data="synthetic",
        settings=SMALL,
        progress=False,
    )
    assert [one.setting for one in search.tried] == [{"model.k": 1}, {"model.k": 3}]
    assert search.recipe == "federated"


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({}, "neither a recipe nor a protocol"),
        ({"recipe": "gossip", "seed": "x"}, "seed: got 'x'; allowed: a whole number from 0"),
        ({"recipe": "gossip", "seed": 1.5}, "seed: got 1.5"),
        ({"recipe": "gossip", "seed": -1}, "seed: got -1"),
        (
            {"recipe": "gossip", "settings": "epochs=3"},
            "settings: got 'epochs=3'; allowed: a mapping such as",
        ),
        ({"recipe": Gossip()}, "recipe: got Gossip.*; allowed: a recipe's name; objects go by name"),
        ({"recipe": "gosip"}, "recipe: got gosip; known: baseline/biases, baseline/bpr-mf.* in all"),
        ({"recipe": "hegedus/gosip"}, r"recipe: got hegedus/gosip; did you mean hegedus/gossip\? \(tacit"),
        ({"protocol": Gossip(subsample=5)}, "subsample: got 5; allowed: a number above 0, at most 1"),
        ({"protocol": Gossip(merge=Polynomial(degree=-1))}, "merge.degree: got -1; allowed"),
        (
            {"protocol": Gossip(), "model": MF(scale=(0.0, 1.0))},
            r"got scale=\(0.0, 1.0\); allowed: a field declared",
        ),
        ({"protocol": Gossip(), "model": 3}, "model: got 3; known: als"),
        ({"protocol": Gossip(), "model": object()}, "model object is no dataclass; allowed: a class under"),
        (
            {"protocol": Gossip(), "merge": MF()},
            "merge MatrixFactorization has no weight, shape; allowed: a part",
        ),
        ({"protocol": Gossip(), "modle": MF()}, r"argument: got modle; did you mean model\?"),
        (
            {"recipe": "gossip", "model": MF(), "settings": {"model": "bpr"}},
            "model: got an argument and a setting",
        ),
        (
            {"protocol": Federated(), "merge": AgeAverage()},
            "merge: got age-average; allowed: with protocol clusters",
        ),
    ],
)
def test_a_mistake_is_one_line(given: dict[str, Any], says: str) -> None:
    with pytest.raises(BadInput, match=says) as caught:
        tacit.run(data="synthetic", progress=False, **given)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 420


def test_parts_are_imported_from_their_packages() -> None:
    from tacit import attacks, baselines, merges, models, peer_sampling, privacy, protocols

    for package in (attacks, baselines, merges, models, peer_sampling, privacy, protocols):
        for name in package.__all__:
            assert isinstance(getattr(package, name), type), name
        assert dir(package) == package.__all__
        stub = Path(str(package.__file__)).with_suffix(".pyi").read_text()
        assert {line.rpartition(" ")[2] for line in stub.splitlines() if line.startswith("from ")} == set(
            package.__all__
        )
