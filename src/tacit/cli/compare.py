"""`tacit compare`: several recipes on the same data, split and evaluation, with paired tests."""

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
from tacit.core.errors import BadInput

if TYPE_CHECKING:
    from tacit.experiment.compare import Comparison


def compare(
    recipes: Annotated[
        list[str], typer.Argument(metavar="RECIPE...", help="names of recipes (tacit recipes)")
    ] = [],  # noqa: B006 - typer copies it
    arms: Annotated[
        list[str],
        typer.Option(
            "--arm",
            metavar="LABEL=RECIPE,KEY=VALUE,...",
            help="a recipe under a label, with settings of its own; repeatable",
        ),
    ] = [],  # noqa: B006
    data: Data = "movielens-100k",
    settings: Set = [],  # noqa: B006 - typer copies it
    columns: Columns = [],  # noqa: B006
    seeds: Seeds = "1",
    out: Out = None,
    overwrite: Overwrite = False,
    threads: Threads = None,
    jobs: Jobs = None,
    engine: EngineName = "local",
    as_json: Json = False,
) -> None:
    """Compare recipes on the same data, split and evaluation, with paired tests over users.

    tacit compare hegedus/gossip-10 hegedus/federated-10 baseline/central-mf --seeds 5 --out runs/three

    tacit compare --arm "eta 0.01=hegedus/gossip-10,model.eta=0.01" --arm "eta 0.1=hegedus/gossip-10,model.eta=0.1"

    Runs that are finished in --out are not run again. Settings go to every recipe that knows them.
    """
    from rich.console import Console

    from tacit.api import compare as run_comparison
    from tacit.engines.engine_names import engine_of
    from tacit.experiment.compare import Arm, parse_arm
    from tacit.experiment.run_settings import parse_set
    from tacit.report.comparison import comparison_table
    from tacit.report.terminal_tables import print_notes

    def show(found: Comparison) -> None:
        if as_json:
            emit(found.to_json())
            return
        console = Console()
        console.print(comparison_table(found))
        print_notes(console, found.results)
        sys.stdout.flush()

    if not recipes and not arms:
        allowed = "names of recipes, or --arm LABEL=RECIPE"
        raise BadInput("recipes", got="none", allowed=allowed, where="tacit compare --help")
    with watching(as_json, threads, show, engine_of(engine, jobs, threads)) as host:
        run_comparison(
            [*map(Arm, recipes), *map(parse_arm, arms)],
            data,
            settings=parse_set(settings, columns),
            seeds=parse_seeds(seeds),
            out=out,
            overwrite=overwrite,
            host=host,
        )
    if out is not None and not as_json:
        say(f"Written to {out}: result.json, report.html, tables, figures, one folder per run")
