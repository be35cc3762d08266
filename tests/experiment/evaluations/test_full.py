from typing import Any

import numpy as np
import polars as pl
import pytest

import tacit
from tacit.core.errors import BadInput
from tacit.core.rng import Stream, uniform
from tacit.experiment.prepare import prepare

SETTINGS = {"data.users": 60, "data.items": 80, "data.interactions": 1500, "rounds": 2, "evaluate": "full"}


def run(**more: object) -> tacit.Result:
    return tacit.run("hegedus/federated", "synthetic", settings={**SETTINGS, **more}, progress=False)


def test_every_metric_of_the_contract_and_means_of_the_per_user_values() -> None:
    result = run()
    names = {
        f"{name}@10"
        for name in ("precision", "recall", "f1", "ndcg", "map", "mrr", "hr", "item_coverage", "evenness")
    }
    assert set(result.metrics) == names
    assert names <= set(result.curve[-1])
    for name in names - {"item_coverage@10", "evenness@10"}:
        assert result.per_user[name].mean() == pytest.approx(result.metrics[name])
    assert result.per_item["recommended@10"].sum() == 10 * (result.per_user["test"] > 0).sum()
    assert result.metrics["item_coverage@10"] == (result.per_item["recommended@10"] > 0).sum()


def test_other_cuts() -> None:
    assert "precision@3" in run(**{"evaluate.k": 3}).metrics


def test_a_catalogue_smaller_than_k_is_refused_before_anything_starts() -> None:
    with pytest.raises(
        BadInput, match=r"^evaluate.k: got 81; allowed: at most 80, the size of the catalogue"
    ):
        prepare("hegedus/federated", "synthetic", {**SETTINGS, "evaluate.k": 81})


def test_k_larger_than_the_miniature_that_warms_up() -> None:
    assert "precision@40" in run(**{"evaluate.k": 40}).metrics


def test_users_without_test_items_are_left_out_and_counted() -> None:
    rng = np.arange(200)
    frame = pl.DataFrame(
        {"user": [*(rng % 10), 99], "item": [*(rng // 10), 3], "rating": [1.0 + r % 5 for r in range(201)]}
    )
    result = tacit.run(
        "hegedus/federated",
        frame,
        settings={"rounds": 1, "evaluate": "full", "split.n": 5, "evaluate.k": 4},
        progress=False,
    )
    assert any(note.startswith("1 of 11 users") for note in result.notes)
    assert result.per_user["precision@4"].null_count() == 1


def test_bias_disparity_per_category() -> None:
    rng = np.arange(400)
    frame = pl.DataFrame(
        {
            "user": rng % 20,
            "item": (rng * 7) % 40,
            "category": ["jazz" if (r * 7) % 40 < 10 else "rock" for r in rng],
        }
    ).unique(["user", "item"], maintain_order=True)
    result = tacit.run(
        "hegedus/federated",
        frame,
        settings={
            "rounds": 1,
            "evaluate": "full",
            "split.n": 1,
            "evaluate.bias": True,
            "evaluate.k": 5,
            "scale": "0,1",
        },
        progress=False,
    )
    found = result.to_json()["bias@5"]
    assert set(found) == {"jazz", "rock"}
    for each in found.values():
        assert each["disparity"] == pytest.approx((each["recommended"] - each["train"]) / each["train"])


def test_validation_leaves_the_test_part_alone() -> None:
    experiment = prepare(
        "hegedus/federated", "synthetic", {**SETTINGS, "evaluate.on": "validation", "split": "temporal"}
    )
    assert experiment.held_out is experiment.split.validation
    parts = experiment.split
    assert len(parts.train) + len(parts.test) + len(experiment.held_out) == 1500
    result = run(**{"evaluate.on": "validation", "split": "temporal"})
    assert result.per_user["test"].sum() == len(experiment.held_out)
    assert any("validation" in note for note in result.notes)


def test_a_model_that_learned_nothing_gains_nothing_from_ids_in_order_of_popularity() -> None:
    """Constant ratings: every prediction is the same, and the first ids of the catalogue are what people have."""
    frame = pl.DataFrame(
        [
            (u, i, 1.0)
            for u in range(300)
            for i in range(200)
            if uniform(1, Stream.SYNTHETIC, u, 0, i) < 5 / (i + 5)
        ],
        schema=["user", "item", "rating"],
        orient="row",
    )
    common = {"evaluate": "full", "split": "random-share", "split.share": 0.2, "data.min_user": 0}
    nothing = tacit.run("hegedus/federated", frame, settings={**common, "rounds": 2}, progress=False)
    chance = tacit.run("baseline/random", frame, settings=common, progress=False)
    popular = tacit.run("baseline/popular", frame, settings=common, progress=False)
    assert nothing.metrics["hr@10"] == pytest.approx(chance.metrics["hr@10"], abs=0.1)
    assert popular.metrics["hr@10"] > chance.metrics["hr@10"] + 0.3


def test_where_visits_are_divided_lists_may_have_known_places() -> None:
    visits = pl.DataFrame(
        {"user": [1] * 6 + [2] * 6, "item": [1, 1, 1, 1, 2, 1, 2, 2, 2, 3, 4, 2], "timestamp": [*range(12)]}
    )
    settings = {"split": "temporal-visits", "evaluate": "full", "evaluate.k": 1, "data.duplicates": "latest"}
    result = tacit.run("baseline/popular", visits, settings=settings | {"data.min_user": 0}, progress=False)
    assert result.split == {"kind": "temporal-visits", "share": 0.2, "seed": 0, "train": 5, "test": 2}
    assert result.metrics["hr@1"] in (0.5, 1.0)
    assert any(note.startswith("visits are split: 2 of 2 held-out places") for note in result.notes)
    assert set(result.lists(4)["item"].to_list()) == {1, 2, 3, 4}


def test_ratings_of_visits_are_not_predicted() -> None:
    with pytest.raises(
        BadInput, match=r"^split: got random-visits; allowed: another one with evaluate=rating"
    ):
        prepare(
            "hegedus/federated", "synthetic", {**SETTINGS, "evaluate": "rating", "split": "random-visits"}
        )


def lost(hits: Any, relevant: Any) -> Any:
    return {}["nowhere"]


def endless(hits: Any, relevant: Any) -> Any:
    return np.where(relevant > 0, np.inf, np.nan)


def nothing(hits: Any, relevant: Any) -> Any:
    return np.full(len(hits), np.nan)


def test_a_metric_from_outside_that_raises_is_one_line_with_its_cause() -> None:
    with pytest.raises(
        BadInput, match=r"^metric lost: KeyError: 'nowhere' \(.*test_full.py, line \d+\)$"
    ) as told:
        run(**{"evaluate.metric": lost})
    assert isinstance(told.value.__cause__, KeyError)


def test_values_of_a_metric_from_outside() -> None:
    with pytest.raises(BadInput, match=r"^metric endless: got infinity; allowed: a finite number for each"):
        run(**{"evaluate.metric": endless})
    assert "nothing@10 is no number: look at how it is computed" in run(**{"evaluate.metric": nothing}).notes
