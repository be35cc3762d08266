"""`tacit reproduce`: run a paper's tables, figures and claims again."""

from __future__ import annotations

import shlex
import sys
from dataclasses import replace
from typing import Annotated

import typer

from tacit.cli.console import Json, emit, say, watching
from tacit.cli.options import Out, Overwrite, Threads


def reproduce(
    paper: Annotated[str, typer.Argument(metavar="PAPER", help="hegedus fpl federank pepper dymbe")],
    table: Annotated[
        str | None, typer.Option("--table", metavar="T", help="one table or figure only, such as figure-3")
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="a smaller version, within two minutes")] = False,
    out: Out = None,
    overwrite: Overwrite = False,
    threads: Threads = None,
    as_json: Json = False,
) -> None:
    """Run a paper again: its tables and figures, and whether its claims hold.

    tacit reproduce hegedus --quick --out runs/hegedus

    Runs that are finished in --out are not run again.
    """
    from rich.console import Console

    from tacit.experiment.out_folder import OutFolder
    from tacit.papers.reproduce import reproduce as run_again
    from tacit.report.reproduction import print_reproduction, write_reproduction

    words = ["tacit", "reproduce", paper, *(["--table", table] if table else [])]
    command = shlex.join([*words, *(["--quick"] if quick else [])])
    with watching(as_json, threads) as host, OutFolder(out, "reproduction", overwrite=overwrite) as held:
        found = run_again(paper, table, quick, out, replace(host, begin=held.begin))
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
