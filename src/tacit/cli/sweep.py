"""`tacit sweep`: search for good settings on a validation part."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from tacit.cli.console import Json, emit, say, watching
from tacit.cli.options import (
    Columns,
    Data,
    EngineName,
    Jobs,
    Out,
    Overwrite,
    Seeds,
    Set,
    Threads,
    parse_seeds,
)

if TYPE_CHECKING:
    from tacit.experiment.sweep import Sweep


def sweep(
    recipe: Annotated[str, typer.Argument(help="a recipe's name (tacit recipes)")],
    vary: Annotated[
        list[str], typer.Option("--vary", metavar="KEY=V1,V2,...", help="values to try; repeatable")
    ],
    data: Data = "movielens-100k",
    settings: Set = [],  # noqa: B006 - typer copies it
    columns: Columns = [],  # noqa: B006
    seeds: Seeds = "1",
    random: Annotated[
        int | None, typer.Option("--random", metavar="N", help="try only N random combinations")
    ] = None,
    metric: Annotated[
        str | None,
        typer.Option(
            "--metric", metavar="NAME", help="metric that decides (default: the first one measured)"
        ),
    ] = None,
    out: Out = None,
    overwrite: Overwrite = False,
    threads: Threads = None,
    jobs: Jobs = None,
    engine: EngineName = "local",
    as_json: Json = False,
) -> None:
    """Try settings on a validation part, and run the best one on the test part.

    tacit sweep hegedus/gossip-10 --vary model.eta=0.003,0.01,0.03 --vary model.k=3,5,10 --out runs/search

    Runs that are finished in --out are not run again.
    """
    from rich.console import Console

    from tacit.api import sweep as run_sweep
    from tacit.engines.engine_names import engine_of
    from tacit.experiment.run_settings import parse_set
    from tacit.experiment.sweep import parse_vary
    from tacit.report.sweep import sweep_table
    from tacit.report.terminal_tables import print_notes

    def show(found: Sweep) -> None:
        if as_json:
            emit(found.to_json())
            return
        console = Console()
        console.print(sweep_table(found))
        print_notes(console, found.test)
        sys.stdout.flush()

    with watching(as_json, threads, show, engine_of(engine, jobs, threads)) as host:
        run_sweep(
            recipe,
            parse_vary(vary),
            data,
            settings=parse_set(settings, columns),
            seeds=parse_seeds(seeds),
            random=random,
            metric=metric,
            out=out,
            overwrite=overwrite,
            host=host,
        )
    if out is not None and not as_json:
        say(f"Written to {out}: result.json, report.html, figures, one folder per run")
