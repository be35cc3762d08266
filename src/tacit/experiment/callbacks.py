"""Callbacks: what a run calls at every measured point (`on_round`), and one that writes these points to a file.

tacit.run("hegedus/gossip-10", on_round=lambda now: now.metrics["rmse"] < 0.95)      # True stops the run
tacit.run("hegedus/gossip-10", on_round=[tacit.CsvLogger("log.csv"), mine])
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from inspect import signature
from pathlib import Path
from threading import Lock

import numpy as np

from tacit.core.errors import BadInput
from tacit.core.where import where_defined


@dataclass(frozen=True, slots=True)
class Measured:
    """A measured point of a run that goes on."""

    recipe: str
    seed: int
    round: int
    hours: float
    """Virtual hours."""
    bytes: int
    """Sent by all devices so far."""
    fraction: float
    """How much of the run is done; 1 at its end."""
    metrics: Mapping[str, float | None]
    """Now; None where nobody could be measured."""


Callback = Callable[[Measured], object]
"""What returns True ends the run here; False or nothing lets it go on."""
OnRound = Callback | Sequence[Callback] | None
_ALLOWED = "a function of one argument, or a list of such"


def callbacks_of(on_round: OnRound) -> list[Callback]:
    """All of them as a list."""
    every = [] if on_round is None else [on_round] if callable(on_round) else on_round
    if not isinstance(every, Sequence) or not all(callable(one) for one in every):
        raise BadInput("on_round", got=on_round, allowed=_ALLOWED)
    for one in every:
        _check_signature(one)
    return list(every)


def _check_signature(callback: Callback) -> None:
    """It is called with one argument: see before the run that it takes one."""
    try:
        given = signature(callback)
    except (TypeError, ValueError):  # a builtin that does not say
        return
    try:
        given.bind(None)
    except TypeError:
        name = getattr(callback, "__name__", type(callback).__name__)
        where = where_defined(callback) if hasattr(callback, "__code__") else ""
        raise BadInput("on_round", got=f"{name}{given}", allowed=_ALLOWED, where=where) from None


def ends(every: Sequence[Callback], now: Measured) -> bool:
    """Call every callback; whether one of them ends the run."""
    said = [one(now) for one in every]  # each is called, whatever the others say
    for one, answer in zip(every, said, strict=True):
        if answer is not None and not isinstance(answer, bool | np.bool_):
            name = getattr(one, "__name__", type(one).__name__)
            where = where_defined(one) if hasattr(one, "__code__") else ""
            got = f"{name}, which returned a {type(answer).__name__}"
            raise BadInput("on_round", got=got, allowed="what returns True, False or None", where=where)
    return any(said)


class CsvLogger:
    """Writes a line per measured point: recipe, seed, round, hours, bytes and every metric.

    Several runs share one logger and its file. A file that is there already is refused. With `append` lines are
    added to it, as for a run that is resumed. With `overwrite` it is replaced.
    """

    def __init__(self, path: str | Path, *, append: bool = False, overwrite: bool = False) -> None:
        self.path = Path(path).expanduser()
        self._replaces = overwrite
        self._lock = Lock()  # runs may go side by side
        if self.path.is_dir() or not self.path.parent.is_dir():
            raise BadInput("csv logger", got=self.path, allowed="a file in a folder that exists")
        if append and overwrite:
            raise BadInput("csv logger", got="append and overwrite", allowed="one of the two")
        if not append and not overwrite and self.path.exists() and self.path.stat().st_size:
            allowed = "a new file, append=True or overwrite=True"
            raise BadInput("csv logger", got=f"{self.path}, which exists", allowed=allowed)

    def __repr__(self) -> str:
        return f"CsvLogger({str(self.path)!r})"

    def __call__(self, now: Measured) -> None:
        """Add a line."""
        values = {
            "recipe": now.recipe,
            "seed": now.seed,
            "round": now.round,
            "hours": now.hours,
            "bytes": now.bytes,
            **now.metrics,
        }
        with self._lock, self.path.open("a+", newline="", encoding="utf-8") as file:
            if self._replaces:
                file.truncate(0)
                self._replaces = False
            file.seek(0)
            names = next(csv.reader(file), [])
            if names and names != list(values):
                got = f"columns {', '.join(values)}"
                raise BadInput(
                    "csv logger", got=got, allowed=f"{', '.join(names)}, as there", where=self.path
                )
            writer = csv.writer(file)
            if not names:
                writer.writerow(values)
            writer.writerow(values.values())
