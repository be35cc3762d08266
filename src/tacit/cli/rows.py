"""`tacit rows`: item rows of finished runs, as a start for nodes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tacit.cli.console import Json, download_bar, emit, printable, say

app = typer.Typer(
    help="Item rows of finished runs, as a start for nodes: tacit node init --start FILE.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


@app.callback()
def _rows() -> None:
    """Keeps `export` a command of its own while it is the only one."""


@app.command()
def export(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="the --out of a finished run")],
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="the file to write")],
    kind: Annotated[
        str,
        typer.Option("--kind", help="kind of titles: film, series, book, artist, album; csv: keep its ids"),
    ] = "",
    as_json: Json = False,
) -> None:
    """Write the rows of a run of baseline/ials, tacit/best or tacit/federated, with provenance, licence and checksum.

    tacit run baseline/ials --data movielens-1m --out runs/ials; tacit rows export runs/ials --out ml-1m.rows
    """
    from tacit.cli.start_source import start_of_run
    from tacit.core.errors import BadInput
    from tacit.node.start import rows_file

    if out.exists() and not rows_file.is_start_file(out):
        raise BadInput("--out", got=f"{out}, another kind of file", allowed="a new file, or one of rows")
    with download_bar(as_json) as progress:
        start = start_of_run(folder, kind=kind, progress=progress)
    rows_file.write(out, start)
    size = out.stat().st_size
    if as_json:
        facts = {"source": start.source, "items": len(start), "licence": start.licence, "made": start.made}
        emit({"file": str(out), "bytes": size, **facts})
        return
    say(f"{len(start):,} rows of {printable(start.source)} written to {out}, {size:,} bytes.")
    say(f"Made by {printable(start.made)}. Terms of the data: {printable(start.licence)}.")
    say(f"Next, at any node: tacit node init --start {out}")
