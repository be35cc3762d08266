"""Tables of other libraries become the same data set as a polars frame."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import polars as pl
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from tacit.core.errors import BadInput
from tacit.data.dataset import load
from tacit.data.foreign_tables import as_frame

FRAME = pl.DataFrame(
    {"user": [1, 1, 2], "item": ["b", "a", "b"], "rating": [4.0, 5.0, 3.0], "timestamp": [7, 8, 9]}
)


def pandas() -> Any:
    return pytest.importorskip("pandas", reason="pandas is not installed (extra oracles)")


def test_polars_eager_and_lazy() -> None:
    assert as_frame(FRAME)[0] is FRAME
    assert as_frame(FRAME.lazy())[0].equals(FRAME)


def test_pandas_frames() -> None:
    pd = pandas()
    frame = pd.DataFrame(FRAME.to_dict(as_series=False))
    expected = load(FRAME)
    indexed = frame.set_index(["user", "item"])
    odd = frame.set_index(np.array([5, 5, 9]))
    category = frame.assign(item=frame["item"].astype("category"), user=frame["user"].astype("Int64"))
    for one in (frame, indexed, odd, category):
        data = load(one)
        assert data.events.equals(expected.events)
        assert data.item_ids.tolist() == ["a", "b"]
        assert data.whole_ids == (True, False)


def test_times_of_pandas() -> None:
    pd = pandas()
    times = pd.to_datetime(["2001-01-01 01:00", None, "2001-01-02 01:00"]).tz_localize("Europe/Paris")
    frame = pd.DataFrame({"user": [1, 1, 2], "item": [1, 2, 1], "timestamp": times})
    assert load(frame).events["timestamp"].to_list() == [978307200, None, 978393600]


def test_gaps_and_mistakes_in_pandas_are_found() -> None:
    pd = pandas()
    frame = pd.DataFrame({"user": [1, 1, 2], "item": [1, 2, 1], "rating": [1.0, None, 2.0]})
    with pytest.raises(BadInput, match=r"rating: got nan; allowed: a finite number .frame, row 2"):
        load(frame)
    text = pd.DataFrame({"user": ["x", None, "y"], "item": [1, 2, 1]})
    with pytest.raises(BadInput, match=r"user: got nothing; allowed: whole numbers or text .frame, row 2"):
        load(text)
    twice = pd.DataFrame([[1, 1, 2], [2, 2, 3]], columns=["user", "item", "item"])
    with pytest.raises(BadInput, match="column item: got it twice"):
        load(twice)
    mixed = pd.DataFrame({"user": [1, "a", 2], "item": [1, 2, 1]})
    with pytest.raises(BadInput, match="column user: got values of several kinds"):
        load(mixed)
    with pytest.raises(BadInput, match="column user is missing: got 0,1"):
        load(pd.DataFrame([[1, 2]]))


def test_a_series_is_no_table() -> None:
    with pytest.raises(BadInput, match=r"^data: got a polars\..*Series; allowed: a known name, a path"):
        load(FRAME["user"])  # type: ignore[arg-type]
    with pytest.raises(BadInput, match=r"^data: got a pandas\..*Series; allowed: a known name, a path"):
        load(pandas().Series([1, 2]))


@given(
    st.dictionaries(
        st.tuples(st.integers(0, 5), st.integers(0, 6)), st.floats(0.5, 5, width=32), min_size=4, max_size=30
    )
)
def test_a_matrix_is_its_entries(entries: dict[tuple[int, int], float]) -> None:
    users, items = (np.array([pair[n] for pair in entries]) for n in (0, 1))
    for kind in (sp.csr_matrix, sp.csc_array, sp.coo_array):
        matrix = kind((list(entries.values()), (users, items)), shape=(6, 7))
        frame, notes = as_frame(matrix)
        assert {(u, i): r for u, i, r in frame.rows()} == entries
        assert notes == []


def test_stored_zeros_are_left_out_and_told() -> None:
    matrix = sp.csr_matrix(([1.0, 0.0, 2.0, 3.0], ([0, 0, 1, 2], [0, 1, 1, 2])))
    data = load(matrix)
    assert len(data.table) == 3
    assert data.notes == ["1 entries of the matrix are 0 and left out"]


def test_complex_numbers_are_no_ratings() -> None:
    matrix = sp.csr_matrix(([1.0 + 2j, 3.0], ([0, 1], [0, 1])))
    with pytest.raises(BadInput, match="data: got a matrix of complex numbers; allowed: one of real numbers"):
        load(matrix)


class OfLensKit:
    """What is used of LensKit's; `tests/interop/test_lenskit.py` has the real one."""

    def interaction_table(self, *, format: str, original_ids: bool = False) -> dict[str, Any]:  # noqa: A002
        assert (format, original_ids) == ("numpy", True)
        return {"user_id": np.array([1, 1, 2]), "item_id": np.array(["b", "a", "b"], object)}


def test_a_data_set_of_lenskit() -> None:
    data = load(OfLensKit())
    assert data.events.select("user", "item").equals(load(FRAME).events.select("user", "item"))
    assert data.notes == ["columns read by another name: user_id as user, item_id as item"]


class Arrow:
    """A table of whatever library speaks Arrow."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return FRAME.__arrow_c_stream__(requested_schema)


def test_anything_that_speaks_arrow() -> None:
    assert load(Arrow()).events.equals(load(FRAME).events)


@pytest.mark.parametrize("thing", [42, None, [1, 2], {"user": [1]}, np.ones((3, 3))])
def test_what_is_no_table(thing: Any) -> None:
    with pytest.raises(BadInput, match=r"data: got a .*; allowed: a known name, a path"):
        load(thing)


def test_no_other_library_is_imported_for_it() -> None:
    code = "import sys, tacit, tacit.data.foreign_tables, tacit.api; print({'pandas', 'lenskit'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
