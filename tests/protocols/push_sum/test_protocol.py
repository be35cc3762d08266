"""The recipes of our own, from the front door."""

from pathlib import Path

import pytest

import tacit
from tacit.core.errors import BadInput
from tacit.experiment.prepare import prepare
from tacit.experiment.trained import recommend_from

SMALL = {"data.users": 60, "data.items": 80, "data.interactions": 2400, "rounds": 60}


def run(recipe: str, out: Path | None = None, resume: bool = False, **more: object) -> tacit.Result:
    settings = {**SMALL, **{key.replace("__", "."): value for key, value in more.items()}}
    return tacit.run(recipe, "synthetic", settings=settings, progress=False, out=out, resume=resume)


def test_masked_gossip_comes_close_to_the_server_and_to_the_ceiling() -> None:
    ours = run("tacit/best", rounds=110)
    server = run("tacit/federated", rounds=3)
    ceiling = run("baseline/ials", rounds=1)
    chance = run("baseline/random", rounds=1, split="random-share", split__share=0.15, evaluate="sampled")
    assert ours.cost.more["read_outs"] == 3
    assert ours.cost.more["epochs_discarded"] == 0
    assert ours.metrics["hr@20"] > chance.metrics["hr@20"] + 0.15
    assert ours.metrics["hr@20"] == pytest.approx(server.metrics["hr@20"], abs=0.05)
    assert ours.metrics["hr@20"] > ceiling.metrics["hr@20"] - 0.08


def test_ratings_are_foreseen_better_each_epoch() -> None:
    result = run("tacit/ratings", split__n=5, rounds=60)
    assert result.metrics["rmse"] < result.curve[0]["rmse"] - 0.05


def test_a_run_can_be_gone_on_with_and_recommends(tmp_path: Path) -> None:
    result = run("tacit/best", tmp_path)
    told = recommend_from(tmp_path, str(result.per_user["user"][3]), 5)
    assert len(told.items) == 5
    assert all(a.score >= b.score for a, b in zip(told.items, told.items[1:], strict=False))
    again = run("tacit/best", tmp_path, resume=True)
    assert again.metrics == result.metrics


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"model": "mf"}, "ials or als with protocol push-sum"),
        ({"storage": "float64"}, "float32 with protocol push-sum"),
        ({"loss": 1}, "a number from 0, at most 0.9"),
        ({"turns": 1}, "rule, or a whole number from 2"),
        ({"pi": 0.5}, "1 with protocol push-sum"),
        ({"graph": "k-out"}, "uniform with graph=k-out"),
    ],
)
def test_what_it_cannot_do_is_refused(settings: dict[str, object], told: str) -> None:
    with pytest.raises(BadInput, match=told):
        prepare("tacit/best", "synthetic", {**SMALL, **settings})


def test_federated_sums_only_for_what_people_have() -> None:
    with pytest.raises(BadInput, match="ials with protocol federated-sums"):
        prepare("tacit/federated", "synthetic", {**SMALL, "model": "als"})
    experiment = prepare("tacit/federated", "synthetic", SMALL)
    assert any("server sees which items" in note for note in experiment.notes)
