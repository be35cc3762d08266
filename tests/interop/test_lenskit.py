"""A recipe in a pipeline of LensKit's, trained, asked and measured by LensKit itself."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

pytest.importorskip("lenskit", reason="LensKit is not installed (extra lenskit)")

import pandas as pd
from lenskit.batch import recommend
from lenskit.data import Dataset, ItemList, from_interactions_df
from lenskit.metrics import NDCG, Hit, RunAnalysis
from lenskit.pipeline import topn_pipeline
from lenskit.splitting import SampleFrac, sample_users

import tacit
from tacit.experiment.trained import fit
from tacit.interop.lenskit import TacitScorer

RECIPE = "hegedus/federated"
SETTINGS: dict[str, Any] = {"rounds": 3, "hours": None}


def ratings() -> pd.DataFrame:
    rows = [
        (f"u{u}", 100 + i, 1 + (u * i) % 5) for u in range(30) for i in range(40) if (u * 7 + i * 3) % 5 < 2
    ]
    return pd.DataFrame(rows, columns=["user_id", "item_id", "rating"])


@pytest.fixture(scope="module")
def data() -> Dataset:
    return from_interactions_df(ratings())


@pytest.fixture(scope="module")
def pipeline(data: Dataset) -> Any:
    made = topn_pipeline(TacitScorer(recipe=RECIPE, settings=SETTINGS, seed=2), n=5)
    made.train(data)
    return made


def test_lenskits_lists_are_ours(data: Dataset, pipeline: Any) -> None:
    ours = fit(RECIPE, ratings(), {**SETTINGS, "data.min_user": 0}, seed=2).lists(5)
    theirs = recommend(pipeline, data.users.ids().tolist(), n=5, n_jobs=1)
    for user in data.users.ids():
        mine = ours.filter(user=user)
        listed = theirs.lookup(user)
        assert listed is not None
        assert np.asarray(listed.ids()).tolist() == mine["item"].to_list()
        assert np.allclose(listed.scores(), mine["score"].to_numpy(), rtol=1e-6)


def test_it_travels_to_other_processes(data: Dataset, pipeline: Any) -> None:
    copy = pickle.loads(pickle.dumps(pipeline))
    user = data.users.ids()[3]
    assert (
        copy.run("recommender", query=user).ids().tolist()
        == pipeline.run("recommender", query=user).ids().tolist()
    )


def test_what_it_does_not_know_has_no_score(pipeline: Any) -> None:
    scorer = pipeline.node("scorer").component
    assert np.isnan(scorer("nobody", ItemList(item_ids=[100, 101])).scores()).all()
    scored = scorer("u1", ItemList(item_ids=[100, 999999])).scores()
    assert np.isfinite(scored[0])
    assert np.isnan(scored[1])


def test_lenskits_split_and_metrics(data: Dataset) -> None:
    split = sample_users(data, 20, SampleFrac(0.3), rng=1)
    pipeline = topn_pipeline(TacitScorer(recipe="baseline/item-knn"), n=10)
    pipeline.train(split.train)
    lists = recommend(pipeline, split.test, n=10, n_jobs=1)
    analysis = RunAnalysis()
    analysis.add_metric(NDCG(10))
    analysis.add_metric(Hit(10))
    measured = analysis.measure(lists, split.test).list_summary()
    assert measured.loc["Hit@10", "mean"] > 0.5


def test_a_lenskit_data_set_is_data(data: Dataset) -> None:
    settings = {**SETTINGS, "split.n": 2}
    one = tacit.run(RECIPE, data, settings=settings, progress=False)
    other = tacit.run(RECIPE, ratings(), settings=settings, progress=False)
    assert one.metrics == other.metrics
    both = [tacit.load(one).events.sort("user", "item") for one in (data, ratings())]
    assert both[0].equals(both[1])
