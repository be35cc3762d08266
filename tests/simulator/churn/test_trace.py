from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from tacit.core.errors import BadInput
from tacit.simulator.churn.availability import Availability
from tacit.simulator.churn.generator import generate
from tacit.simulator.churn.sessions import SECOND
from tacit.simulator.churn.trace import read_trace, write_trace

USERS = ["ann", "007", "cleo"]


def trace(folder: Path, text: str, name: str = "trace.csv") -> Path:
    path = folder / name
    path.write_text(text)
    return path


def test_rows_in_any_order_become_sessions_in_microseconds(tmp_path: Path) -> None:
    path = trace(tmp_path, "node,start,end\n007,20,30.5\nann,0,5\n007,1,2\n")
    churn = read_trace(path, USERS, 3)
    assert churn.start_ptr.tolist() == [0, 1, 3, 3]
    assert churn.begin.tolist() == [0, 1 * SECOND, 20 * SECOND]
    assert churn.end.tolist() == [5 * SECOND, 2 * SECOND, 30_500_000]
    assert churn.notes == ("1 of 3 nodes are not in the churn trace and are never online",)


def test_tabs_other_columns_and_their_order_do_not_matter(tmp_path: Path) -> None:
    path = trace(tmp_path, "end\tnode\tcity\tstart\n5\tann\tOslo\t1\n", "trace.tsv")
    assert read_trace(path, USERS, 3).begin.tolist() == [1 * SECOND]


def test_without_ids_nodes_are_positions(tmp_path: Path) -> None:
    path = trace(tmp_path, "node,start,end\n2,0,5\n0,0,5\n1,0,5\n")
    churn = read_trace(path, None, 3)
    assert churn.online(0).all()
    assert churn.notes == ()


def test_parquet_with_whole_numbers(tmp_path: Path) -> None:
    path = tmp_path / "trace.parquet"
    pl.DataFrame({"node": [1, 0], "start": [0, 1], "end": [5, 6]}).write_parquet(path)
    assert read_trace(path, ["0", "1"], 2).begin.tolist() == [1 * SECOND, 0]


def test_touching_sessions_are_one(tmp_path: Path) -> None:
    path = trace(tmp_path, "node,start,end\nann,5,9\nann,0,5\n")
    assert read_trace(path, USERS, 3).end.tolist() == [9 * SECOND]


@pytest.mark.parametrize("name", ["trace.csv", "trace.tsv", "trace.parquet"])
@pytest.mark.parametrize(
    "churn", [generate(40, seed=0), Availability.always(40)], ids=["generated", "always"]
)
def test_written_traces_read_back_exactly(tmp_path: Path, name: str, churn: Availability) -> None:
    users = np.array([f"u{i:02}" for i in range(40)])
    write_trace(churn, tmp_path / name, users)
    back = read_trace(tmp_path / name, users, 40)
    assert np.array_equal(back.start_ptr, churn.start_ptr)
    assert np.array_equal(back.begin, churn.begin)
    assert np.array_equal(back.end, churn.end)


def test_calendar_time_is_noted(tmp_path: Path) -> None:
    path = trace(tmp_path, "node,start,end\nann,1500000000,1500003600\n")
    assert any("first session starts at hour 416667" in note for note in read_trace(path, USERS, 3).notes)


HEADER = "node,start,end\n"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "an empty file"),
        (HEADER, "no sessions"),
        ("node,start\nann,1\n", "no end among node, start; allowed: node, start, end"),
        (
            HEADER + "ann,0,1\nann,soon,9\n",
            "start: got soon in row 2 .node ann, start soon, end 9.; allowed: seconds",
        ),
        (HEADER + "ann,0,nan\n", "end: got nan in row 1"),
        (HEADER + "ann,0,inf\n", "end: got inf in row 1"),
        (HEADER + "ann,,9\n", "start: got None in row 1"),
        (HEADER + "ann,5,5\n", "end: got 5 in row 1 .*an end after the start"),
        (HEADER + "ann,6,5\n", "an end after the start"),
        (HEADER + "ann,-1,5\n", "start: got -1 in row 1"),
        (HEADER + "ann,1600000000000,1600000001000\n", "seconds from 0 to 4503599627"),
        (HEADER + "ann,0,10\n007,5,6\nann,9,12\n", "sessions of node ann: got 0 to 10 and 9 to 12"),
        (HEADER + ",0,1\n", "node: got 1 empty cells"),
        (HEADER + "bob,0,1\nann,0,1\n7,0,1\n", "got bob, 7; allowed: the data set's 3 user ids, as ann"),
        (HEADER + "".join(f"x{i},0,1\n" for i in range(9)), "got x0, x1, x2 and 6 more"),
        (HEADER + "ann,0,1,2,3\n", "a readable table"),
    ],
)
def test_a_bad_trace_is_refused_in_one_line_that_names_the_file(tmp_path: Path, text: str, says: str) -> None:
    path = trace(tmp_path, text)
    with pytest.raises(BadInput, match=says) as caught:
        read_trace(path, USERS, 3)
    assert "\n" not in str(caught.value)
    assert str(path) in str(caught.value)


def test_positions_beyond_the_last_node_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="got 3; allowed: positions 0 to 2, as 0"):
        read_trace(trace(tmp_path, HEADER + "3,0,1\n"), None, 3)


def test_a_column_of_dates_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "trace.parquet"
    frame = pl.DataFrame({"node": ["ann"], "start": [0], "end": [1]})
    frame.with_columns(pl.col("end").cast(pl.Datetime)).write_parquet(path)
    with pytest.raises(BadInput, match="end: got a column of Datetime"):
        read_trace(path, USERS, 3)


@pytest.mark.parametrize(
    ("name", "says"), [("no.csv", "no such file"), ("trace.xlsx", "got .xlsx; allowed: .csv")]
)
def test_a_missing_or_strange_file_is_refused(tmp_path: Path, name: str, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        read_trace(tmp_path / name, USERS, 3)


def test_a_file_that_is_not_parquet_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="a readable table"):
        read_trace(trace(tmp_path, "node,start,end\n", "trace.parquet"), USERS, 3)


def test_a_trace_by_position_is_read_as_such_and_told(tmp_path: Path) -> None:
    path = tmp_path / "trace.csv"
    path.write_text("node,start,end\n0,0,10\n2,5,20\n")
    churn = read_trace(path, ["1", "2", "3"], 3)
    assert churn.node.tolist() == [0, 2]
    assert any("by position" in note for note in churn.notes)
    by_id = tmp_path / "ids.csv"
    by_id.write_text("node,start,end\n1,0,10\n2,5,20\n")
    assert read_trace(by_id, ["1", "2", "3"], 3).node.tolist() == [0, 1]
