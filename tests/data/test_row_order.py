"""A split by time needs times, or rows whose order can stand for them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest
import scipy.sparse as sp

import tacit
from tacit.core.errors import BadInput
from tacit.data.dataset import load
from tacit.data.row_order import BY_TIME, check_row_order

ROWS = [(u, 100 + (u + step) % 9) for step in range(6) for u in range(12)]
FRAME = pl.DataFrame(ROWS, schema=["user", "item"], orient="row")
BY_ITEM = FRAME.sort("item", "user")
TIMED = BY_ITEM.with_row_index("timestamp")
MATRIX = sp.coo_array(([1.0] * len(ROWS), ([u for u, _ in ROWS], [i for _, i in ROWS])))
ALLOWED = "; allowed: another split such as .*split=random-share, or a file or frame with a column timestamp"


@pytest.mark.parametrize("kind", BY_TIME)
def test_rows_without_an_order_are_refused(kind: str) -> None:
    for matrix in (MATRIX.tocsr(), MATRIX.tocsc(), MATRIX):
        for data in (load(matrix), load(load(matrix), min_item=1)):
            with pytest.raises(BadInput, match=f"^split {kind}: got no timestamps, .* matrix{ALLOWED}"):
                check_row_order(data, kind)


@pytest.mark.parametrize("kind", BY_TIME)
def test_rows_grouped_by_item_are_refused(kind: str) -> None:
    for frame in (BY_ITEM, FRAME.sort("item", "user", descending=True)):
        with pytest.raises(BadInput, match=f"^split {kind}: got no timestamps, .* by item{ALLOWED}"):
            check_row_order(load(frame), kind)


def test_other_rows_count_in_their_order_and_a_note_says_so() -> None:
    few = pl.DataFrame({"user": [0, 1, 0, 1, 0], "item": [7, 7, 8, 8, 9]})
    for frame in (FRAME, FRAME.sort("user"), few, FRAME.unique("item", keep="first", maintain_order=True)):
        (note,) = check_row_order(load(frame), "temporal")
        assert note.startswith("the data has no timestamps: rows count in their order")


def test_times_and_splits_by_chance_need_no_order() -> None:
    assert check_row_order(load(TIMED), "temporal") == []
    for data in (BY_ITEM, MATRIX):
        assert check_row_order(load(data), "random-share") == []


def test_a_lenskit_data_set_has_no_order_without_times() -> None:
    class Lenskit:
        def __init__(self, frame: pl.DataFrame) -> None:
            self.frame = frame

        def interaction_table(self, **_: Any) -> dict[str, Any]:
            return {
                f"{c}_id" if c != "timestamp" else c: self.frame[c].to_numpy() for c in self.frame.columns
            }

    with pytest.raises(BadInput, match="rows without an order"):
        check_row_order(load(Lenskit(FRAME)), "temporal")
    assert check_row_order(load(Lenskit(TIMED)), "temporal") == []


def test_runs_heed_it(tmp_path: Path) -> None:
    def run(data: Any, **settings: Any) -> tacit.Result:
        wanted = {"data.min_user": 0, "evaluate.k": 3, **settings}
        return tacit.run("baseline/popular", data, settings=wanted, progress=False)

    BY_ITEM.write_csv(tmp_path / "sorted.csv")
    for data in (MATRIX, BY_ITEM, tmp_path / "sorted.csv", load(MATRIX)):
        with pytest.raises(BadInput, match=r"^split temporal: got no timestamps"):
            run(data)
        assert run(data, split="random-share").metrics
    with pytest.raises(BadInput, match=r"^split temporal-visits: got no timestamps"):
        run(BY_ITEM, split="temporal-visits")
    assert any("rows count in their order" in note for note in run(FRAME).to_json()["notes"])
    assert not any("rows count in their order" in note for note in run(TIMED).notes)
