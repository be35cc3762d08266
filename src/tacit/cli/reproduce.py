"""`tacit reproduce`: run a paper's tables, figures and claims again."""

from __future__ import annotations

import shlex
from typing import Annotated

import typer

from tacit.cli.console import Json, emit, say, watching
from tacit.cli.options import Out


def reproduce(
    paper: Annotated[
        str | None, typer.Argument(metavar="PAPER", help="hegedus fpl federank pepper dymbe")
    ] = None,
    table: Annotated[
        str | None, typer.Option("--table", metavar="T", help="one table only, such as 2 (or figure-3)")
    ] = None,
    figure: Annotated[
        str | None, typer.Option("--figure", metavar="F", help="one figure only, such as 3 or 4b")
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="a smaller version, within two minutes")] = False,
    listing: Annotated[bool, typer.Option("--list", help="only list the tables, figures and claims")] = False,
    markdown: Annotated[bool, typer.Option("--markdown", hidden=True)] = False,
    out: Out = None,
    as_json: Json = False,
) -> None:
    """Run a paper again: its tables and figures, and whether its claims hold.

    tacit reproduce hegedus --quick --out runs/hegedus

    tacit reproduce pepper --list

    Runs that are finished in --out are not run again.
    """
    from rich.console import Console

    from tacit.core.errors import BadInput
    from tacit.papers.reproduce import papers

    if markdown and (as_json or not listing):
        raise BadInput(
            "--markdown", got="with another kind of output", allowed="tacit reproduce --list --markdown"
        )
    if listing:
        _list(paper, markdown, as_json)
        return
    if paper is None:
        raise BadInput("paper", got="none", allowed=" ".join(papers()), where="tacit reproduce PAPER")
    if table is not None and figure is not None:
        raise BadInput("--table and --figure", got="both", allowed="one of them, or neither for all")

    from tacit.experiment.run_folder import write_json
    from tacit.papers.item_names import exhibit_named
    from tacit.papers.reproduce import paper_named
    from tacit.papers.reproduce import reproduce as run_again
    from tacit.report.figures.paper_figures import write_charts
    from tacit.report.machine import this_machine
    from tacit.report.reproduction import print_reproduction, write_reproduction

    asked = table if table is not None else figure
    if asked is not None:
        asked = exhibit_named(paper_named(paper), asked, "table" if figure is None else "figure").name
    with watching(quiet=as_json) as host:
        found = run_again(paper, asked, quick, out, host)
    if out is not None:
        words = ["tacit", "reproduce", paper, *(["--table", asked] if asked else [])]
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


def _list(paper: str | None, markdown: bool, as_json: bool) -> None:
    """What can be run again: of one paper, or of all."""
    from rich.console import Console

    from tacit.report.coverage import coverage, coverage_page, list_table

    if markdown:
        typer.echo(coverage_page(), nl=False)
        return
    told = coverage([paper] if paper else [])
    if as_json:
        emit(told)
        return
    console = Console()
    for name, one in told["papers"].items():
        console.print(list_table(name, one))
