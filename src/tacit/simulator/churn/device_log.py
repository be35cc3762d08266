"""From a log of real devices to a churn trace (Hegedűs et al., section 6.3).

A log has a row per report: user, time (Unix seconds, UTC), charging (0 or 1), mbit (bandwidth, 0 without Internet). A
device is online when it has been on a charger and connected with at least 1 Mbit/s for at least a minute. Every user's
time is cut at UTC midnights into segments of two days with one day's overlap; a simulated node gets a random segment.

The paper leaves three things open. Between two reports a device here does as in the first of them. In a segment both
days have a report, and the device is offline before the first and after the last one. Each segment is drawn once, in
random order, before any is drawn a second time.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import polars as pl

from tacit.core.errors import BadInput
from tacit.core.interactions import Ints
from tacit.core.rng import Stream, permutation
from tacit.simulator.churn.availability import Availability
from tacit.simulator.churn.sessions import SECOND

COLUMNS = ("user", "time", "charging", "mbit")
_ALLOWED = f"a .csv, .tsv or .parquet file with columns {','.join(COLUMNS)}"
_DAY = 86_400
_SEGMENT_DAYS = 2
_LEAST_MBIT = 1.0
_LEAST_SECONDS = 60
Doubles = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Segments:
    """Two-day segments: which sessions each has, in seconds from its begin."""

    users: int
    start: Ints
    """Where each segment's sessions begin in the other two; one longer than there are segments."""
    begin: Doubles
    end: Doubles

    def __len__(self) -> int:
        return len(self.start) - 1

    def assign(self, nodes: int, seed: int) -> Availability:
        """A segment for each simulated node: each once, in random order, before any comes again."""
        rounds = -(-nodes // len(self))
        order = np.concatenate([permutation(seed, Stream.SEGMENTS, 0, n, len(self)) for n in range(rounds)])
        drawn = order[:nodes]
        count = np.diff(self.start)[drawn]
        # Where each node's sessions stand: the first of its segment, and those that follow.
        within = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
        place = np.repeat(self.start[drawn], count) + within
        begin, end = (np.round(x[place] * SECOND).astype(np.int64) for x in (self.begin, self.end))
        return Availability.from_sessions(np.repeat(np.arange(nodes), count), begin, end, nodes=nodes)


def read_segments(path: str | Path) -> Segments:
    """The segments of a device log."""
    log = _read(Path(path)).sort("user", "time", maintain_order=True)
    days = log.group_by("user", maintain_order=True).agg(
        first=pl.col("time").min() // _DAY, last=pl.col("time").max() // _DAY
    )
    sessions = online_sessions(log)
    counts, begins, ends = [], [], []
    for user, first, last in days.iter_rows():
        own = sessions.filter(pl.col("user") == user)
        for day in range(int(first), int(last) - _SEGMENT_DAYS + 2):
            since, until = day * _DAY, (day + _SEGMENT_DAYS) * _DAY
            inside = own.filter((pl.col("end") > since) & (pl.col("begin") < until))
            counts.append(len(inside))
            begins.append(inside["begin"].clip(since, until).to_numpy() - since)
            ends.append(inside["end"].clip(since, until).to_numpy() - since)
    if not counts:
        raise BadInput("device log", got="no user with reports on two days", allowed=_ALLOWED, where=path)
    start = np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
    return Segments(len(days), start, np.concatenate(begins), np.concatenate(ends))


def online_sessions(log: pl.DataFrame) -> pl.DataFrame:
    """When each user was online, from reports sorted by user and time: columns user, begin, end in Unix seconds."""
    able = (pl.col("charging") > 0) & (pl.col("mbit") >= _LEAST_MBIT)
    runs = log.select("user", pl.col("time"), able=able).with_columns(
        run=(pl.struct("user", "able") != pl.struct("user", "able").shift()).fill_null(True).cum_sum(),
        # A state lasts until the user's next report.
        until=pl.col("time").shift(-1).over("user").fill_null(pl.col("time")),
    )
    held = runs.group_by("run", "user", maintain_order=True).agg(
        able=pl.col("able").first(), begin=pl.col("time").first() + _LEAST_SECONDS, end=pl.col("until").last()
    )
    return held.filter(pl.col("able") & (pl.col("end") > pl.col("begin"))).select("user", "begin", "end")


def _read(path: Path) -> pl.DataFrame:
    suffix = path.suffix.lower()
    try:
        if suffix == ".parquet":
            log = pl.read_parquet(path)
        else:
            log = pl.read_csv(path, separator="\t" if suffix == ".tsv" else ",", infer_schema=False)
    except (OSError, pl.exceptions.PolarsError):
        raise BadInput("device log", got=path, allowed=_ALLOWED, where="it cannot be read") from None
    if not set(COLUMNS) <= set(log.columns):
        got = f"columns {', '.join(log.columns)}"
        raise BadInput("device log", got=got, allowed=_ALLOWED, where=path)
    numbers = [pl.col(name).cast(pl.Float64, strict=False) for name in COLUMNS[1:]]
    read = log.select(pl.col("user").cast(pl.String), *numbers)
    for name in COLUMNS:
        wrong = read[name].is_null() | (read[name].is_nan() if name != "user" else False)
        if wrong.any():
            row = int(wrong.arg_max() or 0)
            got = f"{log[name][row]} in row {row + 1}"
            raise BadInput(f"device log, {name}", got=got, allowed="a number in every row", where=path)
    return read
