"""Writes pages that come from the code, and tables of recorded results: `make docs` runs it, a test compares."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import typer

from tacit.cli.main import app
from tacit.report.checklist import checklist_page
from tacit.report.coverage import coverage_page
from tacit.report.measured_tables import measured_pages
from tacit.report.recipe_reference import recipes_page

DOCS = Path(__file__).parent


def pages() -> dict[str, str]:
    """The text of every generated page by its path under docs/."""
    return {
        "papers/checklist.md": checklist_page(),
        "papers/coverage.md": coverage_page(),
        **{f"papers/{name}": text for name, text in measured_pages().items()},
        "reference/command-line.md": command_line_page(),
        "reference/recipes.md": recipes_page(),
        "results/tacit-best.md": with_tables("results/tacit-best.md"),
    }


def command_line_page() -> str:
    """What `--help` says, for every command."""
    parts = [
        "# Command line\n\n"
        "Every command has `-h` and `--help`. With `--json`, standard output holds exactly one JSON object.\n\n"
        "| exit code | means |\n|---|---|\n"
        "| 0 | done |\n| 1 | something went wrong that the user cannot correct |\n"
        "| 2 | wrong usage or bad input: one line says what, and what is allowed |\n"
        "| 128 + N | signal N ended the run; `--resume` continues it |\n"
    ]
    for words, text in _helps(typer.main.get_command(app), ("tacit",)):
        parts.append(f"## {' '.join(words)}\n\n```text\n{text}\n```\n")
    return "\n".join(parts)


def with_tables(name: str) -> str:
    """A page whose marks `<!-- table NAME -->` are followed by what `results/tables/NAME.csv` records.

    A blank line ends each table. Without it the text below would be rows of the table.
    """
    mark = re.compile(r"^<!-- table (\S+) -->\n\n(?:\|.*\n)*\n*", re.MULTILINE)
    page = (DOCS / name).read_text(encoding="utf-8")
    return mark.sub(lambda found: f"<!-- table {found[1]} -->\n\n{_table(found[1])}\n", page)


def _table(name: str) -> str:
    with (DOCS / "results" / "tables" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        head, *rows = csv.reader(file)
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def _helps(command, words, above=None):  # type: ignore[no-untyped-def]
    context = command.make_context(
        words[-1], [], parent=above, resilient_parsing=True, terminal_width=100, max_content_width=100
    )
    yield words, re.sub(r"[ \t]+$", "", command.get_help(context), flags=re.MULTILINE).strip()
    inside = getattr(command, "commands", {})
    for name in command.list_commands(context) if inside else ():
        if not inside[name].hidden:
            yield from _helps(inside[name], (*words, name), context)


if __name__ == "__main__":
    for name, text in pages().items():
        (DOCS / name).write_text(text, encoding="utf-8")
