"""`tacit reproduce`: run a paper's tables, figures and claims again."""

from __future__ import annotations

import shlex
from typing import Annotated

import typer

from tacit.cli.console import Json, emit, say, watching
from tacit.cli.options import Out


def reproduce(
    paper: Annotated[str, typer.Argument(metavar="PAPER", help="hegedus fpl federank pepper dymbe")],
    table: Annotated[
        str | None, typer.Option("--table", metavar="T", help="one table or figure only, such as figure-3")
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="a smaller version, within two minutes")] = False,
    out: Out = None,
    as_json: Json = False,
) -> None:
    """Run a paper again: its tables and figures, and whether its claims hold.

    tacit reproduce hegedus --quick --out runs/hegedus

    Runs that are finished in --out are not run again.
    """
    from rich.console import Console

    from tacit.experiment.run_folder import write_json
    from tacit.papers.reproduce import reproduce as run_again
    from tacit.report.figures.paper_figures import write_charts
    from tacit.report.machine import this_machine
    from tacit.report.reproduction import print_reproduction, write_reproduction

    with watching(quiet=as_json) as host:
        found = run_again(paper, table, quick, out, host)
    if out is not None:
        words = ["tacit", "reproduce", paper, *(["--table", table] if table else [])]
        command = shlex.join([*words, *(["--quick"] if quick else [])])
        write_json(out / "result.json", found.to_json())
        write_reproduction(found, out / "report.html", command, this_machine())
        drawn = write_charts(
            [chart for charts in found.charts().values() for chart in charts], out / "figures"
        )
    if as_json:
        emit(found.to_json())
        return
    print_reproduction(Console(), found)
    if out is not None:
        pictures = f", {len(drawn)} pictures in figures/" if drawn else ""
        say(f"Written to {out}: result.json, report.html{pictures}, one folder per run")
