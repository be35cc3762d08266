"""`tacit export`: a finished run in the formats of other libraries."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tacit.cli.console import Json, download_bar, emit, say

app = typer.Typer(
    help="A finished run in the formats of other libraries.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


@app.callback()
def _several() -> None:
    """Other libraries may follow."""


@app.command()
def lenskit(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="the --out of a finished run")],
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="a new folder to write to")],
    n: Annotated[int, typer.Option("-n", help="how many items are recommended to each user")] = 10,
    as_json: Json = False,
) -> None:
    """Write a run's data, split and recommendations as LensKit reads them.

    tacit export lenskit runs/first --out runs/first-lenskit

    data and train are data sets (Dataset.load), test.parquet and recommendations.parquet are lists
    (ItemListCollection.load_parquet).
    """
    from tacit.experiment.trained import Trained
    from tacit.interop.lenskit_files import FILES, export_run

    with download_bar(as_json) as progress:
        facts = export_run(Trained(folder=folder, progress=progress), out, n)
    if as_json:
        emit({"out": str(out), "files": list(FILES), **facts})
        return
    say(
        f"Written to {out}: {', '.join(FILES)}; {facts['train']:,} training and {facts['test']:,} test rows, "
        f"lists of {facts['users']:,} users"
    )
