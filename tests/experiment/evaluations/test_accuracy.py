"""All mnist recipes on pictures that are easy: who has more data, or asks more others, is right more often."""

from pathlib import Path

import pytest

from tacit.core.errors import BadInput
from tacit.experiment.evaluations import accuracy
from tacit.experiment.prepare import prepare
from tacit.experiment.result import Result
from tests.digits import write_digits
from tests.experiment.running import run

EASY = {"data.agents": 20, "data.images": 20, "model.hidden": 16, "model.eta": 0.5, "model.batch": 5}


@pytest.fixture(autouse=True)
def digits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TACIT_DATA", str(tmp_path))
    write_digits(tmp_path)


def finish(recipe: str, **more: object) -> Result:
    return run(prepare(f"dymbe/{recipe}", "mnist", {**EASY, **more}, 1), threads=1)


def test_together_they_are_better_than_alone() -> None:
    central = finish("mnist-central", **{"data.agents": 1, "data.images": 400})
    majority = finish("mnist-majority")
    weighted = finish("mnist-weighted-majority")
    federated = finish("mnist-federated", participation="1/20")
    alone = majority.per_user["accuracy"].mean()
    assert central.metrics["accuracy"] > 0.9
    assert majority.metrics["accuracy"] > alone + 0.1
    assert weighted.metrics["accuracy"] >= majority.metrics["accuracy"] - 0.02
    assert federated.metrics["accuracy"] > majority.metrics["accuracy"]
    assert majority.cost.bytes_sent == 0
    # Twenty agents, five rounds, a download and an upload each; and the first download of the next round leaves.
    assert federated.cost.messages == 201


def test_averaging_needs_a_common_start() -> None:
    alike, apart = finish("mnist-average"), finish("mnist-average", common="false")
    assert alike.metrics["accuracy"] > apart.metrics["accuracy"]
    told = alike.more["aggregate"]
    assert told["apart"] < apart.more["aggregate"]["apart"], "models that start alike can be averaged"
    assert 0 <= told["apart"] < told["single_apart"] <= 1
    for example in told["examples"]:
        assert sum(example["aggregated"]) == pytest.approx(1)
        assert sum(example["mean"]) == pytest.approx(1)


def test_a_model_for_images_and_data_without_them() -> None:
    small = {"data.users": 10, "data.items": 10, "data.interactions": 50, "split.n": 1}
    with pytest.raises(BadInput, match="--data mnist"):
        prepare("dymbe/mnist-central", "synthetic", small)
    with pytest.raises(BadInput, match="images"):
        prepare("hegedus/gossip", "mnist", {"data.agents": 2, "data.images": 2})


def test_answers_along_the_stream_are_told_as_a_moving_average(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(accuracy, "WINDOW", 50)
    told = finish("mnist-majority")
    stream = told.more["stream"]
    assert stream["image"][0] == 50
    assert stream["image"][-1] == 200
    every_window = [stream["accuracy"][stream["image"].index(n)] for n in (50, 100, 150, 200)]
    assert sum(every_window) / 4 == pytest.approx(told.metrics["accuracy"])
    assert finish("mnist-majority", vote="own").more == {}, "every model answers for itself"


def test_gossip_runs_too() -> None:
    result = finish("mnist-average", protocol="gossip", merge="age-average", rounds=30, epochs=1, vote="own")
    assert result.metrics["accuracy"] > 0.6


@pytest.mark.parametrize("recipe", ["mnist-majority", "mnist-weighted-majority"])
def test_with_few_peers_a_vote_is_between_one_model_and_all(recipe: str) -> None:
    whole = finish(recipe)
    alone = whole.per_user["accuracy"].mean()
    few, more, everybody = (finish(recipe, **{"vote.peers": n}).metrics["accuracy"] for n in (2, 8, 19))
    assert alone < few < more < everybody + 0.02
    assert everybody == pytest.approx(whole.metrics["accuracy"]), "each has all twenty models"
    assert "stream" not in finish(recipe, **{"vote.peers": 2}).more
