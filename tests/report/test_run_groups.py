from dataclasses import replace

import numpy as np
import polars as pl

from tacit.report.run_groups import (
    best,
    comparable,
    groups,
    labels,
    one_winner,
    per_user,
    tail,
    uneven_ground,
)
from tests.report.factory import make_result, ranking_runs, rating_runs


def test_recipes_name_runs_when_they_tell_them_apart() -> None:
    assert labels(rating_runs()) == ["hegedus/gossip-merge", "hegedus/federated", "baseline/central-mf"]


def test_a_sweep_is_named_by_what_it_varies() -> None:
    runs = [make_result(**{"model.k": k}) for k in (5, 10)]
    assert labels(runs) == ["hegedus/gossip-merge (model.k=5)", "hegedus/gossip-merge (model.k=10)"]


def test_seeds_form_a_group_and_are_told_apart_within_it() -> None:
    runs = [make_result(seed=seed, finals={"rmse": 0.9 + seed / 10}) for seed in (0, 1)]
    (group,) = groups(runs)
    assert group.label == "hegedus/gossip-merge"
    assert group.metric("rmse") == (0.9 + 1.0) / 2
    assert labels(runs) == ["hegedus/gossip-merge, seed 0", "hegedus/gossip-merge, seed 1"]


def test_the_same_run_twice_still_has_two_names() -> None:
    assert len(set(labels([make_result(), make_result()]))) == 2


def test_runs_on_different_ground_are_not_compared() -> None:
    one = make_result()
    assert comparable([one, make_result(seed=4)])
    assert uneven_ground([one, replace(one, split={"kind": "temporal"})]) == ["split"]
    assert uneven_ground([one, replace(one, data={"name": "other"})]) == ["data"]
    assert uneven_ground(ranking_runs()) == ["negatives"]


def test_users_without_a_test_part_count_in_no_figure() -> None:
    assert len(per_user(make_result(without_test=17), "rmse")) == 943 - 17
    assert len(per_user(make_result(), "no_such_metric")) == 0
    nobody = replace(make_result(), per_user=pl.DataFrame({"user": ["a", "b"], "rmse": [None, None]}))
    assert len(per_user(nobody, "rmse")) == 0
    assert tail(nobody, "rmse") is None


def test_the_tail_is_the_bad_end_whichever_that_is() -> None:
    users = pl.DataFrame({"rmse": np.arange(101.0), "hr@10": np.arange(101.0) / 100})
    result = replace(make_result(), per_user=users)
    assert tail(result, "rmse") == 90
    assert tail(result, "hr@10") == 0.1


def test_best_knows_the_direction_and_skips_what_is_missing() -> None:
    assert best([0.9, None, float("nan"), 0.8], "rmse") == 0.8
    assert best([0.9, None, 0.8], "hr@10") == 0.9
    assert best([None], "rmse") is None


def test_no_single_seed_is_crowned() -> None:
    assert one_winner(rating_runs())
    assert not one_winner([make_result(seed=seed) for seed in (0, 1)])
    assert not one_winner([*rating_runs(), make_result("hegedus/federated", seed=1)])
    assert not one_winner([make_result()])
