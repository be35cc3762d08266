"""`tacit table`: finished runs side by side, one row each."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from tacit.cli.console import Json, emit, say


def table(
    folders: Annotated[
        list[Path],
        typer.Argument(metavar="DIR...", help="what --out wrote; folders inside are looked through"),
    ],
    as_json: Json = False,
    as_csv: Annotated[
        bool, typer.Option("--csv", help="print every metric, cost and setting with commas")
    ] = False,
    as_latex: Annotated[bool, typer.Option("--latex", help="print a LaTeX table (booktabs)")] = False,
) -> None:
    """Show finished runs in one table, one row per run.

    tacit table runs/* --csv > all.csv
    """
    from tacit.core.errors import BadInput
    from tacit.report.run_table import table_of

    if as_json + as_csv + as_latex > 1:
        raise BadInput("table", got="several forms", allowed="one of --json, --csv and --latex")
    found = table_of(folders)
    if as_json:
        emit(found.to_json())
        return
    if as_csv or as_latex:
        sys.stdout.write(found.to_csv() if as_csv else found.to_latex())
    else:
        from rich.console import Console

        Console().print(found.to_terminal())
    for line in found.left_out:
        say(f"left out: {line}")
