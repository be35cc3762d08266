"""`tacit compare`: several recipes on the same data, split and evaluation, with paired tests."""

from __future__ import annotations

from typing import Annotated

import typer

from tacit.cli.console import Json, emit, say, watching
from tacit.cli.options import Columns, Data, Out, Seeds, Set


def compare(
    recipes: Annotated[
        list[str], typer.Argument(metavar="RECIPE...", help="names of recipes (tacit recipes)")
    ],
    data: Data = "movielens-100k",
    settings: Set = [],  # noqa: B006 - typer copies it
    columns: Columns = None,
    seeds: Seeds = 1,
    out: Out = None,
    as_json: Json = False,
) -> None:
    """Compare recipes on the same data, split and evaluation, with paired tests over users.

    tacit compare hegedus/gossip-10 hegedus/federated-10 baseline/central-mf --seeds 5 --out runs/three

    Runs that are finished in --out are not run again. Settings go to every recipe that knows them.
    """
    from rich.console import Console

    from tacit.api import compare as run_comparison
    from tacit.experiment.run_settings import parse_set
    from tacit.report.comparison import comparison_table
    from tacit.report.terminal_tables import print_notes

    with watching(quiet=as_json) as host:
        found = run_comparison(
            recipes, data, settings=parse_set(settings, columns), seeds=seeds, out=out, host=host
        )
    if as_json:
        emit(found.to_json())
        return
    console = Console()
    console.print(comparison_table(found))
    print_notes(console, found.results)
    if out is not None:
        say(f"Written to {out}: result.json, report.html, one folder per run")
