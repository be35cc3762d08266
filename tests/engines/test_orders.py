from __future__ import annotations

from pathlib import Path

import msgspec
import polars as pl
import pytest

from tacit.core.errors import BadInput
from tacit.engines.orders import Order, carry_out, order_of
from tacit.experiment.batch import Task
from tests.engines.runs import SMALL

_TASK = Task("baseline/popular", "synthetic", SMALL)


def test_an_order_survives_its_line_of_json(tmp_path: Path) -> None:
    order = order_of(_TASK, tmp_path, 2)
    assert msgspec.json.decode(msgspec.json.encode(order), type=Order) == order
    assert order.data == "synthetic"


def test_files_are_named_in_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    order = order_of(Task("baseline/popular", "mine.csv"), Path("out"), None)
    assert order.data == str(tmp_path / "mine.csv")
    assert order.out == str(tmp_path / "out")


def test_what_another_process_cannot_find_is_refused(tmp_path: Path) -> None:
    frame = pl.DataFrame({"user": ["a"], "item": ["b"]})
    with pytest.raises(BadInput, match="a table in memory"):
        order_of(Task("baseline/popular", frame), tmp_path, None)
    with pytest.raises(BadInput, match="parts as objects"):
        order_of(Task("baseline/popular", "synthetic", {"model": object()}), tmp_path, None)


def test_how_a_run_ends(tmp_path: Path) -> None:
    order = order_of(_TASK, tmp_path, 1)
    assert carry_out(order, lambda: False).state == "done"
    wrong = msgspec.structs.replace(order, settings={**SMALL, "nonsense": 1})
    answer = carry_out(wrong, lambda: False)
    assert (answer.state, "nonsense" in answer.says) == ("refused", True)
    other = msgspec.structs.replace(order, tacit="0.0.1")
    assert carry_out(other, lambda: False).says.startswith("version: got a worker with tacit")
    long = Task("hegedus/gossip-merge", "synthetic", {**SMALL, "hours": 3})
    assert carry_out(order_of(long, tmp_path, 1), lambda: True).state == "stopped"
    assert list(tmp_path.glob("hegedus-*/state.npz"))
