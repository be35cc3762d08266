"""`tacit audit`: what some attackers learn from what was sent."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from tacit.cli.console import Json, emit, say
from tacit.cli.options import Columns, Data, Seed, Set, Threads


def audit(
    recipe: Annotated[str, typer.Argument(help="a recipe's name (tacit recipes)")],
    data: Data = "movielens-100k",
    settings: Set = [],  # noqa: B006 - typer copies it
    columns: Columns = [],  # noqa: B006
    seed: Seed = 0,
    threads: Threads = None,
    as_json: Json = False,
) -> None:
    """Play some attackers who read a recipe's messages, and say how well they guess what people have.

    tacit audit tacit/best --data movielens-100k

    auc: the chance that the attacker ranks an item of the victim above another item of the same popularity. 0.5 is
    guessing, 1 is knowing. precision: the share of right guesses among as many guesses as the victim has items.
    Each attacker judges one item at a time. Better attackers exist: docs/explanation/threat-model.md has figures.
    """
    from rich.console import Console
    from rich.table import Table

    from tacit.experiment.audit import audit as run_audit
    from tacit.experiment.run_settings import parse_set

    done: set[str] = set()

    def tell(what: str, share: float) -> None:
        mark = f"{what} {int(share * 4) * 25} %"
        if not as_json and mark not in done:
            done.add(mark)
            say(f"{recipe}: {mark}")

    found = run_audit(recipe, data, parse_set(settings, columns), seed, tell, threads)
    if as_json:
        emit(found.to_json())
        return
    table = Table("attacker", "setting", "auc", "auc, all items", "precision@|I|")
    for finding in found.findings:
        setting = ", ".join(f"{key} {value:g}" for key, value in finding.settings.items())
        figures = (finding.auc, finding.auc_all, finding.precision)
        table.add_row(finding.attacker, setting, *(f"{value:.3f}" for value in figures))
    Console(file=sys.stdout).print(table)
    for note in found.notes:
        say(f"Note: {note}")
    say(f"Means over {found.victims} victims; auc 0.5: this attacker does no better than guessing")
