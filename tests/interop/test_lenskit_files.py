"""A run written for LensKit: read back as plain parquet here, and by LensKit itself where it is installed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import tacit
from tacit.core.errors import BadInput
from tacit.experiment.trained import Trained
from tacit.interop.lenskit_files import export_run


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> tuple[tacit.Result, Path]:
    folder = tmp_path_factory.mktemp("lenskit")
    rows = [(f"u{u}", i, 1 + (u * i) % 5, 100 * u + i) for u in range(12) for i in range(15) if (u + i) % 3]
    frame = pl.DataFrame(rows, schema=["user", "item", "rating", "timestamp"], orient="row")
    settings = {"split.n": 2, "evaluate": "full", "evaluate.k": 4, "rounds": 2, "hours": None}
    result = tacit.run("hegedus/federated", frame, settings=settings, out=folder / "run", progress=False)
    export_run(Trained(folder=folder / "run"), folder / "out", 4)
    return result, folder / "out"


def test_the_files_hold_what_the_run_has(exported: tuple[tacit.Result, Path]) -> None:
    result, out = exported
    lists = pl.read_parquet(out / "recommendations.parquet").explode("items").unnest("items")
    assert lists.rename({"user_id": "user", "item_id": "item"}).equals(result.lists(4))
    test = pl.read_parquet(out / "test.parquet").explode("items").unnest("items")
    parts = result.parts()
    assert set(test.select("user_id", "item_id").rows()) == set(
        parts.filter(split="test").select("user", "item").rows()
    )
    rating, users = (
        pl.read_parquet(out / "train" / "rating.parquet"),
        pl.read_parquet(out / "train" / "user.parquet"),
    )
    assert len(rating) == len(parts.filter(split="train"))
    assert users["user_id"][int(rating["user_num"][-1])] == "u9", "ids are sorted as text"
    schema = json.loads((out / "train" / "schema.json").read_text())
    assert {name: one["id_type"] for name, one in schema["entities"].items()} == {
        "item": "int",
        "user": "str",
    }


def test_a_folder_that_holds_something_is_refused(
    exported: tuple[tacit.Result, Path], tmp_path: Path
) -> None:
    (tmp_path / "mine.txt").touch()
    with pytest.raises(BadInput, match=r"--out: got .*; allowed: a folder that is new or empty"):
        export_run(Trained(folder=exported[1].parent / "run"), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_lenskit_reads_and_measures_it(exported: tuple[tacit.Result, Path]) -> None:
    data: Any = pytest.importorskip("lenskit.data", reason="LensKit is not installed (extra lenskit)")
    metrics: Any = pytest.importorskip("lenskit.metrics")
    result, out = exported
    train = data.Dataset.load(out / "train")
    parts = result.parts()
    table = pl.from_pandas(train.interaction_table(format="pandas", original_ids=True))
    expected = parts.filter(split="train").select("user", "item", "rating", "timestamp").sort("user", "item")
    assert table.sort("user_id", "item_id").rows() == expected.rows()
    assert data.Dataset.load(out / "data").interaction_count == len(parts)
    analysis = metrics.RunAnalysis()
    for metric in (metrics.Hit(4), metrics.Precision(4), metrics.RecipRank(4)):
        analysis.add_metric(metric)
    run = data.ItemListCollection.load_parquet(out / "recommendations.parquet")
    test = data.ItemListCollection.load_parquet(out / "test.parquet")
    means = analysis.measure(run, test).list_summary()["mean"]
    for theirs, ours in (("Hit@4", "hr@4"), ("Precision@4", "precision@4"), ("RecipRank@4", "mrr@4")):
        assert np.isclose(means[theirs], result.metrics[ours]), theirs
