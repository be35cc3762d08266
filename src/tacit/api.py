"""The library in one call: `tacit.run("hegedus/gossip-merge", data="movielens-100k")`."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import polars as pl
from rich.console import Console

from tacit.experiment.memory import gigabytes
from tacit.experiment.preparing import Experiment, prepare
from tacit.experiment.results import Result
from tacit.experiment.runner import Run
from tacit.report.html import write_report
from tacit.report.machine import this_machine
from tacit.report.progress import Progress

DEFAULT_DATA = "movielens-100k"


def run(
    recipe: str,
    data: str | Path | pl.DataFrame = DEFAULT_DATA,
    *,
    settings: Mapping[str, Any] | None = None,
    seed: int = 0,
    out: str | Path | None = None,
    resume: bool = False,
    progress: bool = True,
    threads: int | None = None,
) -> Result:
    """Run a recipe and give back its figures; with `out` also write them, a report and the models to a folder.

        result = tacit.run("hegedus/gossip-10", "ratings.csv", settings={"epochs": 10})
        result.metrics["rmse"], result.per_user

    `data` is a known name, the path of a csv, tsv or parquet file, or a polars frame.
    """
    experiment = prepare(recipe, data, settings, seed)
    return execute(
        experiment, data=data, settings=settings, out=out, resume=resume, quiet=not progress, threads=threads
    )


def execute(
    experiment: Experiment,
    *,
    data: str | Path | pl.DataFrame,
    settings: Mapping[str, Any] | None = None,
    out: str | Path | None = None,
    resume: bool = False,
    quiet: bool = False,
    threads: int | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> Result:
    """Run what `prepare` made ready, show progress, write the folder."""
    folder = None if out is None else Path(out)
    console = Console(stderr=True, quiet=quiet)
    with console.status("Compiling for this machine (only the first time takes long) ..."):
        under_way = Run(experiment, out=folder, resume=resume, threads=threads)
    counts = experiment.dataset.counts()
    console.print(
        f"{counts['name']}: {counts['users']:,} users, {counts['items']:,} items, "
        f"{counts['interactions']:,} interactions; memory: about {gigabytes(experiment.memory)}",
        highlight=False,
    )
    with Progress(experiment.recipe, quiet=quiet) as watch:
        result = under_way.go(watch, stop).result
    if folder is not None:
        where = "DATA" if isinstance(data, pl.DataFrame) else str(data)
        write_report(
            [result],
            folder / "report.html",
            title=f"{result.recipe} on {result.data['name']}",
            command=command_line(result.recipe, where, settings or {}, result.seed),
            machine=this_machine(),
        )
    return result


def command_line(recipe: str, data: str, settings: Mapping[str, Any], seed: int) -> str:
    """What to type to run it again.

    >>> command_line("hegedus/gossip", "my ratings.csv", {"epochs": 10}, 1)
    "tacit run hegedus/gossip --data 'my ratings.csv' --set epochs=10 --seed 1"
    """
    words = ["tacit", "run", recipe, "--data", data]
    for key, value in settings.items():
        words += ["--set", f"{key}={value}"]
    return shlex.join([*words, "--seed", str(seed)])
