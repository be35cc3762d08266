"""`tacit reproduce`: run a paper's tables, figures and claims again."""

from __future__ import annotations

import shlex
import sys
from dataclasses import replace
from typing import Annotated

import typer

from tacit.cli.console import Json, emit, say, watching
from tacit.cli.options import EngineName, Jobs, Out, Overwrite, Threads


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
    finished: Annotated[
        bool, typer.Option("--finished", help="run nothing, show what is finished in --out")
    ] = False,
    out: Out = None,
    overwrite: Overwrite = False,
    threads: Threads = None,
    jobs: Jobs = None,
    engine: EngineName = "local",
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

    from tacit.engines.engine_names import engine_of
    from tacit.experiment.out_folder import OutFolder
    from tacit.papers.item_names import exhibit_named
    from tacit.papers.reproduce import paper_named
    from tacit.papers.reproduce import reproduce as run_again
    from tacit.report.reproduction import print_reproduction, write_reproduction

    asked = table if table is not None else figure
    if asked is not None:
        asked = exhibit_named(paper_named(paper), asked, "table" if figure is None else "figure").name
    if finished:
        if overwrite:
            raise BadInput("--overwrite", got="--finished beside it", allowed="one of the two")
        found = run_again(paper, asked, quick, out, finished=True)
        if as_json:
            emit(found.to_json())
        else:
            print_reproduction(Console(), found)
        return
    words = ["tacit", "reproduce", paper, *(["--table", asked] if asked else [])]
    command = shlex.join([*words, *(["--quick"] if quick else [])])
    with (
        watching(as_json, threads, engine=engine_of(engine, jobs, threads)) as host,
        OutFolder(out, "reproduction", overwrite=overwrite) as held,
    ):
        found = run_again(paper, asked, quick, out, replace(host, begin=held.begin))
        try:
            if as_json:
                emit(found.to_json())
            else:
                print_reproduction(Console(), found)
                sys.stdout.flush()
        finally:
            if out is not None:
                write_reproduction(found, out, command)
    if out is not None and not as_json:
        say(f"Written to {out}: result.json, report.html, tables, figures, one folder per run")


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
