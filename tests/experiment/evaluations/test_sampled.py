from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import tacit
from tacit.core.compiled.threads import Workers
from tacit.core.scorer import Scorer, Scores
from tacit.experiment.evaluations.sampled import SampledEvaluation
from tacit.experiment.prepare import prepare


def test_sampled_ranking_of_a_run_repeats_with_the_seed() -> None:
    settings = {
        "data.users": 60,
        "data.items": 300,
        "data.interactions": 1500,
        "rounds": 2,
        "evaluate": "sampled",
    }
    first = tacit.run("hegedus/gossip-merge", "synthetic", settings=settings, progress=False)
    again = tacit.run("hegedus/gossip-merge", "synthetic", settings=settings, progress=False, threads=1)
    assert set(first.metrics) == {f"{name}@{k}" for name in ("hr", "ndcg", "f1") for k in (5, 10, 20)}
    assert first.metrics == again.metrics
    assert first.per_user["hr@20"].mean() == pytest.approx(first.metrics["hr@20"])
    assert 0 <= first.metrics["hr@5"] <= first.metrics["hr@10"] <= first.metrics["hr@20"] <= 1


def test_when_users_converge_and_what_they_had_computed_by_then() -> None:
    settings = {
        "data.users": 40,
        "data.items": 150,
        "data.interactions": 1200,
        "rounds": 4,
        "split.share": 0.2,
    }
    settings |= {"evaluate.convergence": True, "timing": True}
    each = tacit.run("pepper/pepper", "synthetic", settings=settings, progress=False).per_user.drop_nulls()
    assert set(each["rounds_to_convergence"].unique()) <= {1, 2, 3, 4}
    assert each["network_rounds"].n_unique() == 1
    at_the_end = each.filter(each["rounds_to_convergence"] == 4)
    assert (each["seconds_to_convergence"] > 0).all()
    assert (each["seconds_to_convergence"] <= each["seconds"]).all()
    assert at_the_end["seconds_to_convergence"].to_list() == at_the_end["seconds"].to_list()


def test_users_with_too_few_unseen_items_are_counted() -> None:
    settings = {
        "data.users": 30,
        "data.items": 60,
        "data.interactions": 600,
        "rounds": 1,
        "evaluate": "sampled",
    }
    result = tacit.run("hegedus/federated", "synthetic", settings=settings, progress=False)
    assert any("fewer than 100 items they never touched" in note for note in result.notes)


class Diverged(Scorer):
    """Scores that are no numbers."""

    def block(self, low: int, high: int, out: Scores) -> None:
        out[:] = np.nan


def test_a_model_that_diverged_scores_nothing() -> None:
    settings = {"data.users": 30, "data.items": 300, "data.interactions": 900, "evaluate": "sampled"}
    x = prepare("hegedus/gossip", "synthetic", settings)
    simulation: Any = SimpleNamespace(now=0, scorer=Diverged(30, x.dataset.table.items))
    for each in SampledEvaluation(x, Workers(1)).per_user(simulation).values():
        assert np.nanmax(each) == 0
