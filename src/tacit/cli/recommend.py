"""`tacit recommend`: what a finished run recommends to one of its users."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tacit.cli.console import Json, download_bar, emit, printable


def recommend(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="the --out of a finished run")],
    user: Annotated[str, typer.Option("--user", metavar="U", help="a user's id, as in the data")],
    n: Annotated[int, typer.Option("-n", help="how many items")] = 10,
    as_json: Json = False,
) -> None:
    """Recommend to one user, from a finished run: titles, scores, and similar items that the user liked.

    tacit run hegedus/gossip-10 --out runs/first; tacit recommend runs/first --user 196
    """
    from tacit.experiment.trained import recommend_from

    with download_bar(as_json) as progress:
        found = recommend_from(folder, user, n, progress)
    if as_json:
        emit(found.to_json())
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(
        title=Text(f"For user {printable(user)}, by {found.recipe}"), title_justify="left", box=None
    )
    table.add_column("Recommended", overflow="fold")
    table.add_column("Score", justify="right")
    table.add_column("Similar to", overflow="fold", style="dim")
    for item in found.items:
        because = "; ".join(item.because)
        table.add_row(Text(printable(item.title)), f"{item.score:.2f}", Text(printable(because)))
    console = Console()
    if found.items:
        console.print(table)
    else:
        console.print(f"{found.note[0].upper()}{found.note[1:]}.")
    console.print(Text("Liked before: " + printable("; ".join(found.liked))))
