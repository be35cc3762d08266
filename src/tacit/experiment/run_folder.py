"""The folder of a run: its result, its tables, and a state to resume from. Every file appears whole or not at all.

A state is resumed only by a run with the same settings, seed and data (`facts_to_resume`).
"""

from __future__ import annotations

import os
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import polars as pl

from tacit.core.atomic_files import atomic_write
from tacit.core.errors import BadInput, NotWritten
from tacit.data.files import write_parquet
from tacit.data.source_rows import SAVED, SAVED_ITEMS
from tacit.experiment.kinds_of_lists import evaluation_of
from tacit.experiment.result import Cost, Result
from tacit.experiment.run_settings import came_later
from tacit.simulator import checkpoint
from tacit.simulator.simulation import Simulation

STATE = "state.npz"
CHOOSING = "choosing"
"""The folder of the run that chose the number of rounds, inside the folder of the whole."""
LAST = ("per_user.parquet", "curve.parquet", "per_item.parquet", "observed.parquet", "report.html")
"""What is written when a run has ended."""
_FILES = (STATE, SAVED, SAVED_ITEMS, "parts.json", "result.json", "run.json", *LAST)


def folder_path(folder: str | Path, what: str = "folder") -> Path:
    """The path of a folder that somebody named."""
    if not isinstance(folder, str | os.PathLike):
        raise BadInput(what, got=repr(folder), allowed="the path of a folder, as text or a Path")
    return Path(folder)


def open_folder(path: Path) -> Path:
    """Make the folder and see that files can be written there, before any work is done."""
    try:
        path.mkdir(parents=True, exist_ok=True)
        probe = path / f".probe-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError as problem:
        reason = problem.strerror or str(problem)
        raise BadInput("--out", got=path, allowed="a folder that can be written", where=reason) from None
    return path


def write_state(folder: Path, simulation: Simulation, facts: dict[str, Any]) -> None:
    """Save a run under way; the old state stays until the new one is complete."""
    text = np.frombuffer(msgspec.json.encode(facts), np.uint8)
    with writing(folder):
        checkpoint.write(folder / STATE, {**simulation.save(), "facts": text}, simulation.partition)


def read_facts(folder: Path) -> dict[str, Any]:
    """The facts that were saved with the state: settings, curve, seconds."""
    path = folder / STATE
    if not path.exists():
        raise BadInput(
            "--resume", got=f"no {STATE}", allowed="a folder that an earlier run left", where=folder
        )
    with _open(path) as arrays:
        try:
            facts: dict[str, Any] = msgspec.json.decode(arrays["facts"].tobytes())
        except Exception:
            raise _damaged(path) from None
    return facts


def facts_to_resume(out: Path | None, now: dict[str, Any]) -> dict[str, Any]:
    """The facts of a saved state. Its run must be the same in everything that `now` names."""
    if out is None:
        raise BadInput("--resume", got="no folder", allowed="--out DIR of the run to continue")
    facts = read_facts(out)
    if facts.get("tacit") != now["tacit"]:
        allowed = f"one that tacit {now['tacit']} saved: run it again without --resume"
        raise BadInput(
            "--resume", got=f"a state that tacit {facts.get('tacit')} saved", allowed=allowed, where=out
        )
    if isinstance(facts.get("parameters"), dict):
        facts["parameters"] = {**came_later(now["parameters"]), **facts["parameters"]}
    for key in now:
        if facts.get(key) != now[key]:
            was, is_now = facts.get(key), now[key]
            if key == "parameters":
                changed = [k for k in is_now if was.get(k) != is_now[k]] if isinstance(was, dict) else []
                key = ", ".join(changed) or key
                was = ", ".join(str(facts["parameters"].get(k)) for k in changed)
                is_now = ", ".join(str(now["parameters"][k]) for k in changed)
            raise BadInput(f"--resume: {key}", got=is_now, allowed=f"{was}, as in the saved run", where=out)
    renamed(*facts.get("curve", []))
    return facts


def restore(folder: Path, simulation: Simulation) -> None:
    """Put a simulation back where it was."""
    path = folder / STATE
    with _open(path) as arrays:
        try:
            simulation.restore(arrays)
        except (ValueError, KeyError, OSError, EOFError, zipfile.BadZipFile):
            raise _damaged(path) from None


def write_result(folder: Path, result: Result, source: str | None = None) -> None:
    """Write result.json, run.json (where it came from), and the tables per user, per point, per item and observed."""
    with writing(folder):
        _write_tables(folder, result, source)


def remove_run(folder: Path) -> None:
    """Delete what a run left in its folder, and nothing else; the folder too, where it is empty then."""
    for name in _FILES:
        (folder / name).unlink(missing_ok=True)
        for scratch in folder.glob(f".{name}.*"):
            scratch.unlink(missing_ok=True)
    if (folder / CHOOSING).is_dir():
        remove_run(folder / CHOOSING)
    if not any(folder.iterdir()):
        folder.rmdir()


def read_result(folder: Path) -> tuple[Result, str | None]:
    """A finished run's result, and the name or path of its data set."""
    path = folder / "result.json"
    if not path.exists():
        raise BadInput("run", got="no result.json", allowed="a folder that a finished run left", where=folder)
    try:
        saved = msgspec.json.decode(path.read_bytes())
        more = msgspec.json.decode((folder / "run.json").read_bytes())
        keys = ("recipe", "seed", "parameters", "data", "split", "metrics", "curve")
        apart = (*keys, "tacit", "cost", "evaluation", "notes", "label")
        extra = {key: value for key, value in saved.items() if key not in apart}
        renamed(saved["metrics"], *saved["curve"])
        items, whole = folder / "per_item.parquet", more.get("whole_ids", [])
        found = Result(
            **{key: saved[key] for key in keys},
            cost=_cost(saved["cost"]),
            per_user=_read_ids(folder / "per_user.parquet", whole),
            per_item=_read_ids(items, whole) if items.exists() else pl.DataFrame(),
            evaluation=saved.get("evaluation") or evaluation_of(saved["parameters"]),
            more=extra,
            notes=list(more["notes"]),
            label=saved.get("label", ""),
        )
        return found, more["data"]
    except (OSError, msgspec.DecodeError, pl.exceptions.PolarsError, KeyError, TypeError):
        raise BadInput("run", got="a damaged folder", allowed="run it again", where=folder) from None


def renamed(*measured: dict[str, Any]) -> None:
    """Give what older versions measured the names of today: gini@K, which was one minus Gini, is evenness@K."""
    for values in measured:
        for old in [name for name in values if name.startswith("gini@")]:
            values[old.replace("gini", "evenness")] = values.pop(old)


def write_json(path: Path, value: Any) -> None:
    """One JSON file, for people too."""
    text = msgspec.json.format(msgspec.json.encode(value), indent=1)
    with writing(path.parent):
        _write(path, lambda scratch: scratch.write_bytes(text))


def _cost(saved: dict[str, float]) -> Cost:
    own = {name: saved.pop(name) for name in Cost.__slots__ if name != "more"}
    return Cost(**own, more=saved)  # type: ignore[arg-type]


def _write_tables(folder: Path, result: Result, source: str | None) -> None:
    # Ids are text in every file, and run.json says which of them are whole numbers in the data.
    whole = [
        name
        for name, frame in (("user", result.per_user), ("item", result.per_item))
        if frame.schema.get(name) == pl.Int64
    ]
    _write(folder / "per_user.parquet", partial(write_parquet, _as_text(result.per_user, whole)))
    for name, frame in (("per_item", result.per_item), ("observed", result.observed)):
        if len(frame):
            _write(folder / f"{name}.parquet", partial(write_parquet, _as_text(frame, whole)))
    curve = pl.DataFrame(result.curve, infer_schema_length=None)
    _write(folder / "curve.parquet", partial(write_parquet, curve))
    write_json(folder / "run.json", {"data": source, "notes": result.notes, "whole_ids": whole})
    write_json(folder / "result.json", result.to_json())


def _as_text(frame: pl.DataFrame, whole: list[str]) -> pl.DataFrame:
    return frame.with_columns(pl.col(name).cast(pl.String) for name in whole if name in frame.columns)


def _read_ids(path: Path, whole: list[str]) -> pl.DataFrame:
    """A table whose ids are as in the data."""
    frame = pl.read_parquet(path)
    return frame.with_columns(pl.col(name).cast(pl.Int64) for name in whole if name in frame.columns)


def _write(path: Path, write: Callable[[Path], object]) -> None:
    with atomic_write(path) as scratch:
        write(scratch)


@contextmanager
def writing(folder: Path) -> Iterator[None]:
    """What cannot be written inside ends in one line."""
    try:
        yield
    except OSError as problem:
        reason = problem.strerror or str(problem)
        raise NotWritten("--out", got=folder, allowed="a folder with room to write", where=reason) from None


def _open(path: Path) -> checkpoint.Reader:
    try:
        return checkpoint.Reader(path)
    except (OSError, zipfile.BadZipFile):
        raise _damaged(path) from None


def _damaged(path: Path) -> BadInput:
    return BadInput(
        "saved state", got="a damaged file", allowed="delete it and run without --resume", where=path
    )
