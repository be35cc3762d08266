"""Availability from and to a file: a row a session, columns node, start, end; times in virtual seconds.

`node` is the user's id as the data set spells it. A trace in which some names are no ids, but all are positions
0 .. N-1, is read by position, with a note. The file's name says what it is: .csv, .tsv or .parquet.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import polars as pl

from tacit.core.errors import BadInput
from tacit.core.interactions import Ints
from tacit.simulator.churn.availability import FOREVER, Availability
from tacit.simulator.churn.sessions import SECOND

COLUMNS = ("node", "start", "end")
_SEPARATORS = {".csv": ",", ".tsv": "\t"}
_PARQUET = ".parquet"
_WEEK = 7 * 24 * 3600 * SECOND


def read_trace(path: str | Path, users: Iterable[str] | None, nodes: int) -> Availability:
    """The sessions in a trace file; users it does not name are never online, and `notes` says how many.

    `users` are the data set's user ids in order of position; None: the trace names nodes by position.
    """
    names = _names(users, nodes)
    frame = _read(Path(path))
    start, end = _microseconds(frame, "start", path), _microseconds(frame, "end", path)
    _refuse(frame, end <= start, "end", "an end after the start", path)
    position = {name: place for place, name in enumerate(names)}
    missing = frame["node"].null_count()
    if missing:
        raise BadInput("node", got=f"{missing} empty cells", allowed="a user id in every row", where=path)
    named = frame["node"].to_list()
    places = [str(place) for place in range(nodes)]
    by_place = not set(named) <= position.keys() and set(named) <= set(places)
    if by_place:
        position = {name: place for place, name in enumerate(places)}
    strangers = list(dict.fromkeys(name for name in named if name not in position))
    if strangers:
        some = ", ".join(strangers[:3]) + (f" and {len(strangers) - 3} more" if len(strangers) > 3 else "")
        allowed = f"positions 0 to {nodes - 1}" if users is None else f"the data set's {nodes} user ids"
        raise BadInput(
            "unknown node in a churn trace", got=some, allowed=f"{allowed}, as {names[0]}", where=path
        )
    node = np.array([position[name] for name in named], np.int64)
    _refuse_overlaps(node, start, end, names, path)
    return Availability.from_sessions(
        node, start, end, nodes=nodes, notes=_notes(node, start, nodes, by_place)
    )


def write_trace(availability: Availability, path: str | Path, users: Iterable[str] | None = None) -> None:
    """Write what `read_trace` reads back exactly."""
    names = _names(users, availability.nodes)
    frame = pl.DataFrame(
        {
            "node": [names[node] for node in availability.node],
            "start": availability.begin / SECOND,
            "end": availability.end / SECOND,
        },
        schema={"node": pl.String, "start": pl.Float64, "end": pl.Float64},
    )
    where = Path(path)
    kind = _kind(where)
    if not where.parent.is_dir():
        raise BadInput(
            "churn trace", got=f"no folder {where.parent}", allowed="a folder that exists", where=path
        )
    if kind == _PARQUET:
        frame.write_parquet(where)
    else:
        frame.write_csv(where, separator=_SEPARATORS[kind], float_precision=6, float_scientific=False)


def _names(users: Iterable[str] | None, nodes: int) -> list[str]:
    names = [str(place) for place in range(nodes)] if users is None else [str(user) for user in users]
    if len(names) != nodes:
        raise ValueError(f"{len(names)} user ids for {nodes} nodes")
    return names


def _kind(path: Path) -> str:
    kind = path.suffix.lower()
    if kind not in (*_SEPARATORS, _PARQUET):
        raise BadInput(
            "kind of churn trace", got=kind or "no ending", allowed=".csv, .tsv, .parquet", where=path
        )
    return kind


def _read(path: Path) -> pl.DataFrame:
    """The three columns, `node` as text."""
    kind = _kind(path)
    if not path.is_file():
        raise BadInput(
            "churn trace", got="no such file", allowed="a file with columns node, start, end", where=path
        )
    try:
        if kind == _PARQUET:
            frame = pl.read_parquet(path)
        else:
            # Everything as text first: an id like 007 must stay as it is.
            frame = pl.read_csv(path, separator=_SEPARATORS[kind], infer_schema=False)
    except pl.exceptions.NoDataError:
        raise BadInput(
            "churn trace", got="an empty file", allowed="at least one session", where=path
        ) from None
    except (pl.exceptions.PolarsError, OSError) as problem:
        reason = str(problem).splitlines()[0]
        raise BadInput("churn trace", got=reason, allowed="a readable table", where=path) from None
    absent = [column for column in COLUMNS if column not in frame.columns]
    if absent:
        got = f"no {', '.join(absent)} among {', '.join(frame.columns)}"
        raise BadInput("columns of a churn trace", got=got, allowed="node, start, end", where=path)
    if frame.is_empty():
        raise BadInput("churn trace", got="no sessions", allowed="at least one session", where=path)
    for column in ("start", "end"):
        kind_of = frame.schema[column]
        if not (kind_of.is_numeric() or kind_of == pl.String):
            raise BadInput(column, got=f"a column of {kind_of}", allowed="seconds as numbers", where=path)
    return frame.select(pl.col("node").cast(pl.String, strict=False), "start", "end")


def _microseconds(frame: pl.DataFrame, column: str, path: str | Path) -> Ints:
    seconds = frame[column].cast(pl.Float64, strict=False).fill_null(float("nan")).to_numpy()
    usable = np.isfinite(seconds) & (seconds >= 0) & (seconds <= FOREVER / SECOND)
    _refuse(frame, ~usable, column, f"seconds from 0 to {FOREVER // SECOND}", path)
    return np.round(seconds * SECOND).astype(np.int64)


def _refuse(frame: pl.DataFrame, wrong: np.ndarray, column: str, allowed: str, path: str | Path) -> None:
    """Point at the first row in which something is wrong."""
    if wrong.any():
        row = int(np.argmax(wrong))
        got = frame.row(row, named=True)
        session = (
            f"{got[column]} in row {row + 1} (node {got['node']}, start {got['start']}, end {got['end']})"
        )
        raise BadInput(column, got=session, allowed=allowed, where=path)


def _refuse_overlaps(node: Ints, start: Ints, end: Ints, names: list[str], path: str | Path) -> None:
    place = np.lexsort((start, node))
    node, start, end = node[place], start[place], end[place]
    overlap = (np.diff(node) == 0) & (start[1:] < end[:-1])
    if overlap.any():
        i = int(np.argmax(overlap))
        first, second = ((start[j] / SECOND, end[j] / SECOND) for j in (i, i + 1))
        got = f"{first[0]:g} to {first[1]:g} and {second[0]:g} to {second[1]:g}"
        raise BadInput(
            f"sessions of node {names[node[i]]}", got=got, allowed="sessions that do not overlap", where=path
        )


def _notes(node: Ints, start: Ints, nodes: int, by_place: bool) -> tuple[str, ...]:
    notes = []
    if by_place:
        notes.append(f"the churn trace names nodes by position, 0 to {nodes - 1}, not by user id")
    absent = nodes - len(np.unique(node))
    if absent:
        notes.append(f"{absent} of {nodes} nodes are not in the churn trace and are never online")
    if start.min() > _WEEK:
        hours = start.min() / SECOND / 3600
        notes.append(
            f"the churn trace's first session starts at hour {hours:.0f} of virtual time, which starts at 0"
        )
    return tuple(notes)
