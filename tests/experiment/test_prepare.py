"""Any file of ratings can be prepared: ids that are text, scales that are wide, or go below 0."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from tacit.core.errors import BadInput
from tacit.core.rng import Stream, uniforms
from tacit.experiment.prepare import prepare
from tests.experiment.running import run, small

FEW = {"split.n": 3, "rounds": 20}


def ratings(path: Path, low: float, step: float) -> Path:
    """Five values from `low` in steps: items differ, and people."""
    who, what = np.nonzero(uniforms(7, Stream.SYNTHETIC, 0, 30, 40) < 0.4)
    stars = np.clip(2 + (what % 5 - 2) + (who % 3 - 1), 0, 4)
    frame = {
        "user": [f"Zoë {u}" for u in who],
        "item": [f"film/{i}" for i in what],
        "rating": low + step * stars,
    }
    pl.DataFrame(frame).write_csv(path)
    return path


@pytest.mark.parametrize("recipe", ["dymbe/data-init", "dymbe/data-init-vectors"])
def test_learning_does_not_depend_on_how_ratings_are_written(recipe: str, tmp_path: Path) -> None:
    found = {}
    for name, low, step in (("stars", 1, 1), ("percent", 0, 25), ("around zero", -2, 1)):
        path = ratings(tmp_path / f"{name}.csv", low, step)
        found[name] = run(prepare(recipe, path, FEW), threads=1).metrics["rmse"] / step
    assert found["percent"] == pytest.approx(found["stars"], rel=1e-3)
    assert found["around zero"] == pytest.approx(found["stars"], rel=1e-3)


def test_the_scale_comes_from_the_data_or_is_told(tmp_path: Path) -> None:
    path = ratings(tmp_path / "stars.csv", 1, 1)
    assert prepare("dymbe/data-init", path, FEW).scale == (1.0, 5.0)
    assert prepare("dymbe/data-init", path, {**FEW, "scale": "0,10"}).scale == (0.0, 10.0)
    with pytest.raises(BadInput, match="ratings outside; allowed: 2 to 5"):
        prepare("dymbe/data-init", path, {**FEW, "scale": "2,5"})


def test_learning_that_ran_away_is_told(tmp_path: Path) -> None:
    path = ratings(tmp_path / "stars.csv", 1, 1)
    with np.errstate(all="ignore"):
        result = run(prepare("dymbe/data-init-vectors", path, {**FEW, "model.eta": 50.0}), threads=1)
    assert "learning ran away" in result.notes[-1]


def test_ratings_outside_a_given_scale_are_refused() -> None:
    with pytest.raises(BadInput, match="scale: got"):
        small(scale="2,4")
