"""Command-line options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Data = Annotated[
    str, typer.Option("--data", help="a known name (tacit data list) or a .csv, .tsv or .parquet file")
]
Columns = Annotated[
    str | None,
    typer.Option(
        "--columns", metavar="OURS=THEIRS,...", help="what columns are called: user=userId,item=movieId"
    ),
]
Set = Annotated[
    list[str],
    typer.Option("--set", metavar="KEY=VALUE", help="change a parameter (tacit show RECIPE lists them)"),
]
Seed = Annotated[int, typer.Option("--seed", help="for everything random: same seed, same result")]
Out = Annotated[
    Path | None, typer.Option("--out", metavar="DIR", help="write results, report and models there")
]
Seeds = Annotated[int, typer.Option("--seeds", metavar="N", help="run everything with seeds 0 to N - 1")]
