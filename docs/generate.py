"""Writes the pages of the reference that come from the code: `make docs` runs it, and a test compares."""

from __future__ import annotations

import re
from pathlib import Path

import typer

from tacit.cli.main import app
from tacit.report.coverage import coverage_page
from tacit.report.recipe_reference import recipes_page

DOCS = Path(__file__).parent


def pages() -> dict[str, str]:
    """The text of every generated page by its path under docs/."""
    return {
        "papers/coverage.md": coverage_page(),
        "reference/command-line.md": command_line_page(),
        "reference/recipes.md": recipes_page(),
    }


def command_line_page() -> str:
    """What `--help` says, for every command."""
    parts = [
        "# Command line\n\n"
        "Every command has `--help`. With `--json`, standard output holds exactly one JSON object.\n\n"
        "| exit code | means |\n|---|---|\n"
        "| 0 | done |\n| 1 | something went wrong that the user cannot correct |\n"
        "| 2 | wrong usage or bad input: one line says what, and what is allowed |\n"
        "| 128 + N | signal N ended the run; `--resume` continues it |\n"
    ]
    for words, text in _helps(typer.main.get_command(app), ("tacit",)):
        parts.append(f"## {' '.join(words)}\n\n```text\n{text}\n```\n")
    return "\n".join(parts)


def _helps(command, words):  # type: ignore[no-untyped-def]
    context = command.make_context(
        " ".join(words), [], resilient_parsing=True, terminal_width=100, max_content_width=100
    )
    yield words, re.sub(r"[ \t]+$", "", command.get_help(context), flags=re.MULTILINE).strip()
    for name, inside in sorted(getattr(command, "commands", {}).items()):
        if not inside.hidden:
            yield from _helps(inside, (*words, name))


if __name__ == "__main__":
    for name, text in pages().items():
        (DOCS / name).write_text(text, encoding="utf-8")
