"""The rules of Hegedűs et al., section 6.3, on a log worked out by hand."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from tacit.core.errors import BadInput
from tacit.simulator.churn.device_log import online_sessions, read_segments
from tacit.simulator.churn.sessions import SECOND
from tacit.simulator.churn.trace import read_trace, write_trace

DAY, HOUR = 86_400, 3600
MIDNIGHT = 15_000 * DAY


def log(*reports: tuple[str, float, int, float]) -> pl.DataFrame:
    frame = pl.DataFrame(list(reports), ["user", "time", "charging", "mbit"], orient="row")
    return frame.with_columns(pl.col("time").cast(pl.Float64) + MIDNIGHT)


PHONES = log(
    # On a charger from 22:00 to 6:00; for ten minutes in between without Internet.
    ("ann", 8 * HOUR, 0, 5.0),
    ("ann", 22 * HOUR, 1, 5.0),
    ("ann", 24 * HOUR + 10, 1, 3.0),
    ("ann", 25 * HOUR, 1, 0.0),
    ("ann", 25 * HOUR + 600, 1, 1.0),
    ("ann", 30 * HOUR, 0, 5.0),
    ("ann", 60 * HOUR, 0, 5.0),
    # Half a minute is too short; slower than 1 Mbit/s does not count.
    ("bob", 1 * HOUR, 1, 8.0),
    ("bob", 1 * HOUR + 30, 0, 8.0),
    ("bob", 2 * HOUR, 1, 0.9),
    ("bob", 26 * HOUR, 0, 8.0),
    ("eve", 5 * HOUR, 1, 8.0),
    ("eve", 6 * HOUR, 0, 8.0),
)


def test_online_is_on_a_charger_and_connected_for_a_minute() -> None:
    found = online_sessions(PHONES).with_columns(pl.col("begin", "end") - MIDNIGHT)
    assert found.rows() == [
        ("ann", 22 * HOUR + 60, 25 * HOUR),
        ("ann", 25 * HOUR + 600 + 60, 30 * HOUR),
        ("eve", 5 * HOUR + 60, 6 * HOUR),
    ]


def test_segments_of_two_days_overlap_by_one(tmp_path: Path) -> None:
    PHONES.sample(fraction=1, shuffle=True, seed=3).write_csv(tmp_path / "log.csv")
    segments = read_segments(tmp_path / "log.csv")
    assert (segments.users, len(segments)) == (3, 3), (
        "ann's days 0-1 and 1-2, bob's 0-1; eve has one day only"
    )
    assert np.diff(segments.start).tolist() == [2, 2, 0]
    assert segments.begin.tolist() == [22 * HOUR + 60, 25 * HOUR + 660, 0, 1 * HOUR + 660]
    assert segments.end.tolist() == [25 * HOUR, 30 * HOUR, 1 * HOUR, 6 * HOUR]


def test_every_segment_is_used_before_any_comes_again(tmp_path: Path) -> None:
    PHONES.write_parquet(tmp_path / "log.parquet")
    segments = read_segments(tmp_path / "log.parquet")
    churn = segments.assign(7, seed=1)
    assert churn.nodes == 7
    sessions = np.diff(churn.start_ptr)
    for n in (0, 3):
        assert sorted(sessions[n : n + 3]) == [0, 2, 2]
    assert churn.end.max() <= 2 * DAY * SECOND
    other = segments.assign(7, seed=2)
    assert np.array_equal(churn.begin, segments.assign(7, seed=1).begin)
    assert not (np.array_equal(churn.begin, other.begin) and np.array_equal(churn.start_ptr, other.start_ptr))
    write_trace(churn, tmp_path / "trace.csv")
    back = read_trace(tmp_path / "trace.csv", None, 7)
    assert np.array_equal(back.begin, churn.begin)
    assert np.array_equal(back.start_ptr, churn.start_ptr)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("user,time\na,1\n", r"^device log: got columns user, time; allowed: .*user,time,charging,mbit"),
        ("user,time,charging,mbit\na,x,1,1\n", r"^device log, time: got x in row 1; allowed: a number"),
        ("user,time,charging,mbit\na,0,1,1\na,1,1,\n", r"^device log, mbit: got None in row 2"),
        (
            "user,time,charging,mbit\na,0,1,1\na,99,1,1\n",
            r"^device log: got no user with reports on two days",
        ),
    ],
)
def test_bad_logs_get_one_clear_line(tmp_path: Path, text: str, line: str) -> None:
    (tmp_path / "log.csv").write_text(text)
    with pytest.raises(BadInput, match=line):
        read_segments(tmp_path / "log.csv")


def test_a_log_that_is_not_there() -> None:
    with pytest.raises(BadInput, match=r"^device log: got nowhere.csv; allowed: .*cannot be read"):
        read_segments("nowhere.csv")
