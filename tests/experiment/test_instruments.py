from pathlib import Path

import numpy as np
import pytest

from tacit.core.errors import BadInput
from tacit.experiment.prepare import prepare
from tacit.experiment.result import Result
from tacit.experiment.run import Run
from tacit.models.mf import MatrixFactorization
from tacit.report.page.page import report_page

SMALL = {
    "data.users": 30,
    "data.items": 40,
    "data.interactions": 600,
    "split.n": 2,
    "rounds": 3,
    "start": "synchronous",
}


def finish(**more: object) -> tuple[Run, Result]:
    run = Run(prepare("hegedus/gossip-merge", "synthetic", {**SMALL, **more}, 1), threads=1)
    return run, run.go().result


def test_parts_by_hand() -> None:
    rows, private = np.array([[1.0, 2.0, 0.5]]), np.array([[3.0, -1.0, 4.0]])
    found = {name: part.tolist() for name, part in MatrixFactorization.parts(rows, private).items()}
    assert found == {"factors": [1.0], "user_bias": [4.0], "item_bias": [0.5]}


def test_columns_of_the_curve_are_what_the_models_hold(tmp_path: Path) -> None:
    dataset = prepare("hegedus/gossip-merge", "synthetic", SMALL, 1).dataset
    first, second = dataset.item_ids[:2].tolist()
    run, result = finish(instruments="true", **{"instruments.items": f"{first},{second}"})
    fleet, last = run.simulation.fleet, result.curve[-1]
    biases = fleet.slots.rows[fleet.slot, 1, -1]
    assert last[f"bias_mean:{second}"] == pytest.approx(biases.mean(), rel=1e-5)
    assert last[f"bias_spread:{second}"] == pytest.approx(biases.std(), rel=1e-4)
    assert last["part_user_bias"] == pytest.approx(np.abs(fleet.private[:, -1]).mean(), rel=1e-5)
    assert set(result.metrics) == {"rmse", "mae"}
    page = report_page([result], title="t", command="c")
    assert "Inside the models" in page
    assert "standard deviation" in page


def test_a_bias_may_be_counted_only_where_the_item_is_known() -> None:
    """From the data: one round, so that somebody still has not heard of an item that few rated."""
    x = prepare("hegedus/gossip-merge", "synthetic", SMALL, 1)
    rare = x.dataset.item_ids[int(np.bincount(x.split.train.item, minlength=40).argmin())]
    chosen = {"init": "data", "rounds": 1, "instruments.items": str(rare)}
    run, result = finish(**chosen, **{"instruments.known": "true"})
    fleet, position = run.simulation.fleet, x.dataset.item_ids.tolist().index(str(rare))
    known = fleet.slots.ages[fleet.slot, position] > 0
    biases = fleet.slots.rows[fleet.slot, position, -1]
    assert 0 < known.sum() < 30
    assert result.curve[-1][f"bias_mean:{rare}"] == pytest.approx(biases[known].mean(), rel=1e-5)
    assert result.curve[-1][f"bias_spread:{rare}"] == pytest.approx(biases[known].std(), rel=1e-4, abs=1e-6)
    everybody = finish(**chosen)[1].curve[-1][f"bias_mean:{rare}"]
    assert everybody == pytest.approx(biases.mean(), rel=1e-5)


def test_off_unless_asked_for() -> None:
    _, result = finish()
    assert set(result.curve[0]) == {"round", "hours", "bytes", "rmse", "mae"}
    assert "Inside the models" not in report_page([result], title="t", command="c")


def test_looking_changes_nothing() -> None:
    assert finish()[1].metrics == finish(instruments="true")[1].metrics


def test_an_item_that_is_not_there() -> None:
    with pytest.raises(BadInput, match=r"instruments\.items: got nobody"):
        finish(**{"instruments.items": "nobody"})
