"""A run as a line of JSON for another process or machine, and what comes back from there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import msgspec

from tacit.core.errors import BadInput, Interrupted, TacitError
from tacit.data.dataset import is_path
from tacit.experiment.batch import RunListener, Task, run_one
from tacit.experiment.result import VERSION


class Order(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One run that is wanted, and the folder of its batch."""

    recipe: str
    data: str
    settings: dict[str, Any]
    seed: int
    keep: bool
    label: str
    out: str
    threads: int | None
    tacit: str = VERSION


class Answer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a run ended: `done` and `stopped` leave their folder, `refused` and `failed` a line that says why."""

    state: Literal["done", "stopped", "refused", "failed"]
    says: str = ""


def order_of(task: Task, out: Path, threads: int | None) -> Order:
    """A task for another process. Data and parts must be found by their names there."""
    if not isinstance(task.data, str | Path):
        raise BadInput(
            "data",
            got="a table in memory",
            allowed="a known name or a file, where runs go to other processes (--jobs, --engine)",
        )
    data = str(task.data)
    if is_path(data):
        data = str(Path(data).expanduser().resolve())
    try:
        settings = msgspec.json.decode(msgspec.json.encode(dict(task.settings)))
    except TypeError:
        raise BadInput(
            "settings", got="parts as objects", allowed="names or files, where runs go to other processes"
        ) from None
    return Order(
        recipe=task.recipe,
        data=data,
        settings=settings,
        seed=task.seed,
        keep=task.keep,
        label=task.label,
        out=str(out.resolve()),
        threads=threads,
    )


def carry_out(order: Order, stop: Callable[[], bool]) -> Answer:
    """Carry out a run in this process. Its folder holds the result, or a state to go on from."""
    if order.tacit != VERSION:
        return Answer(
            "refused", f"version: got a worker with tacit {VERSION}; allowed: {order.tacit}, as asks"
        )
    task = Task(order.recipe, order.data, order.settings, order.seed, order.keep, order.label)
    try:
        run_one(task, order.recipe, Path(order.out), RunListener(stop=stop, threads=order.threads))
    except Interrupted as why:
        return Answer("stopped", str(why))
    except TacitError as why:
        return Answer("refused", str(why))
    except Exception as why:  # whatever a part of somebody else's does: one line goes back
        return Answer("failed", f"{type(why).__name__}: {why}")
    return Answer("done")
