"""A list of negatives for each held-out item: who is in it, what comes out, and how it differs from one per user."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import tacit
from tacit.core.compiled.threads import Workers
from tacit.core.scorer import Scorer, Scores
from tacit.experiment.evaluations.sampled_per_item import SampledPerItemEvaluation
from tacit.experiment.kinds_of_lists import evaluation_of
from tacit.experiment.prepare import prepare

SMALL = {"data.users": 60, "data.items": 150, "data.interactions": 2500, "rounds": 6, "split.share": 0.2}


def test_every_held_out_item_has_a_list_of_its_own_outside_all_that_its_user_has() -> None:
    x = prepare(
        "pepper/pepper", "synthetic", {**SMALL, "evaluate": "sampled-per-item", "evaluate.negatives": 20}
    )
    made = SampledPerItemEvaluation(x, Workers(1))
    held, table = x.held_out, x.dataset.table
    for u in range(held.users):
        mine = made._list[made._list_start[u] : made._list_start[u + 1]]
        count = int(held.counts[u])
        lists = mine[: 20 * count].reshape(count, 20)
        assert mine[20 * count :].tolist() == held.of(u)[0].tolist()
        assert not np.isin(lists, table.of(u)[0]).any()
        assert all(len(set(one.tolist())) == 20 for one in lists)
        assert len({tuple(one.tolist()) for one in lists}) == count


class ByNumber(Scorer):
    """The higher an item's number, the better."""

    def block(self, low: int, high: int, out: Scores) -> None:
        out[:] = np.arange(out.shape[1])


def test_ranks_are_those_in_each_item_s_own_list() -> None:
    x = prepare(
        "pepper/pepper", "synthetic", {**SMALL, "evaluate": "sampled-per-item", "evaluate.negatives": 20}
    )
    made = SampledPerItemEvaluation(x, Workers(1))
    simulation: Any = SimpleNamespace(scorer=ByNumber(60, x.dataset.table.items), now=0)
    found = made.per_user(simulation)["hr@5"]
    for u in np.flatnonzero(x.held_out.counts > 0):
        count = int(x.held_out.counts[u])
        mine = made._list[made._list_start[u] : made._list_start[u + 1]]
        above = [(mine[20 * n : 20 * n + 20] > mine[20 * count + n]).sum() for n in range(count)]
        assert found[u] == pytest.approx(np.mean([one < 5 for one in above]))


def test_figures_are_near_those_of_one_list_per_user_and_f1_is_the_same() -> None:
    few = {**SMALL, "evaluate.negatives": 20}
    shared, each = (
        tacit.run("pepper/pepper", "synthetic", settings={**few, "evaluate": kind}, progress=False)
        for kind in ("sampled", "sampled-per-item")
    )
    assert each.metrics.keys() == shared.metrics.keys()
    assert each.metrics["f1@20"] == shared.metrics["f1@20"]
    assert each.metrics["hr@5"] != shared.metrics["hr@5"]
    assert each.metrics["hr@5"] == pytest.approx(shared.metrics["hr@5"], abs=0.08)
    assert each.cost.bytes_sent == shared.cost.bytes_sent


def test_a_user_with_few_free_items_is_ranked_among_what_there_is() -> None:
    settings = {**SMALL, "data.items": 60, "evaluate": "sampled-per-item", "rounds": 1}
    result = tacit.run("pepper/pepper", "synthetic", settings=settings, progress=False)
    assert 0 <= result.metrics["hr@20"] <= 1
    assert result.list_of("hr@20") == "per held-out item among up to 100"
    assert any("users have fewer than 100 items they never touched" in note for note in result.notes)


class Constant(Scorer):
    """Everything is the same."""

    def block(self, low: int, high: int, out: Scores) -> None:
        out[:] = 1.0


def test_ties_are_broken_by_chance_and_told() -> None:
    settings = {**SMALL, "evaluate": "sampled-per-item", "evaluate.negatives": 99}
    x = prepare("pepper/pepper", "synthetic", settings)
    made = SampledPerItemEvaluation(x, Workers(1))
    simulation: Any = SimpleNamespace(scorer=Constant(60, x.dataset.table.items), now=0)
    found = made.per_user(simulation)
    assert np.nanmean(found["hr@20"]) == pytest.approx(0.2, abs=0.06), "20 places of 100"
    assert made.ties(simulation) == 1.0
    clear: Any = SimpleNamespace(scorer=ByNumber(60, x.dataset.table.items), now=0)
    assert made.ties(clear) == 0.0


def test_the_result_says_what_its_lists_are() -> None:
    settings = {**SMALL, "evaluate": "sampled-per-item", "evaluate.negatives": 20, "rounds": 1}
    result = tacit.run("pepper/pepper", "synthetic", settings=settings, progress=False)
    assert result.list_of("hr@20") == "per held-out item among 20"
    assert evaluation_of(result.parameters)["list"] == result.evaluation["list"]
    assert result.evaluation["ties"] is not None
