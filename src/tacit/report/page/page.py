"""One self-contained HTML file that shows a run, or several side by side, to anyone with a browser."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any

from tacit.core.errors import BadInput
from tacit.experiment.result import Result
from tacit.report.instruments import inside_section
from tacit.report.page.elements import Html, element, text
from tacit.report.page.figure_sections import communication_section, curves_section, users_section
from tacit.report.page.person_sections import Recommendations, device_section, recommendations_section
from tacit.report.page.provenance_sections import (
    command_section,
    data_section,
    machine_section,
    notes_section,
    parameters_section,
)
from tacit.report.page.summary_and_results import results_section, summary_section
from tacit.report.run_groups import groups

_PAGE = Template("""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="tacit">
<title>$title</title>
<style>
$css</style>
</head>
<body>
<header>
<p class="eyebrow">tacit report</p>
<h1>$title</h1>
$subtitle
$contents
</header>
<main>
$sections
</main>
</body>
</html>
""")

_TITLES = {
    "summary": "Summary",
    "results": "Results",
    "curves": "Curves",
    "inside": "Inside",
    "users": "Users",
    "communication": "Communication",
    "device": "Device",
    "recommendations": "Recommendations",
    "data": "Data",
    "parameters": "Parameters",
    "machine": "Machine",
    "notes": "Notes",
    "again": "Run it again",
}


def write_report(
    results: Sequence[Result],
    path: Path | str,
    *,
    title: str,
    command: str,
    recommendations: Recommendations | None = None,
    device: Mapping[str, Any] | None = None,
    tests: Sequence[Mapping[str, Any]] | None = None,
    machine: Mapping[str, Any] | None = None,
    chapters: Mapping[str, Html] | None = None,
) -> Path:
    """Write the page to `path`, whole or not at all, and give the path back.

    `command` is what to type to run it again. `device` says what left one user's device (lists `left` and
    `stayed`, and any other names and values); `tests` are rows of paired tests; `machine` is for example
    `this_machine()`; `chapters` are further sections by their ids, shown after the summary.
    """
    if not results:
        raise BadInput("report", got="no results", allowed="at least one", where=path)
    page = report_page(results, title=title, command=command, recommendations=recommendations, device=device,
                       tests=tests, machine=machine, chapters=chapters)  # fmt: skip
    write_page(page, path)
    return Path(path)


def write_page(page: str, path: Path | str) -> None:
    """A file that appears whole or not at all."""
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    draft = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        draft.write_text(page, encoding="utf-8")
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)


def report_page(
    results: Sequence[Result],
    *,
    title: str,
    command: str,
    recommendations: Recommendations | None = None,
    device: Mapping[str, Any] | None = None,
    tests: Sequence[Mapping[str, Any]] | None = None,
    machine: Mapping[str, Any] | None = None,
    chapters: Mapping[str, Html] | None = None,
) -> str:
    """The page as text; see `write_report`."""
    sections: dict[str, Html] = {
        "summary": summary_section(results),
        **(chapters or {}),
        "results": results_section(results, tests),
        "curves": curves_section(results),
        "inside": inside_section(results),
        "users": users_section(results),
        "communication": communication_section(results),
        "device": device_section(device) if device else Html(""),
        "recommendations": recommendations_section(recommendations) if recommendations else Html(""),
        "data": data_section(results),
        "parameters": parameters_section(results),
        "machine": machine_section(machine),
        "notes": notes_section(results),
        "again": command_section(command),
    }
    return assemble(title, _subtitle(results), sections)


def assemble(title: str, subtitle: Html, sections: Mapping[str, Html]) -> str:
    """A whole page out of sections by their ids; empty ones are left out."""
    present = {name: content for name, content in sections.items() if content}
    names = {name: _TITLES.get(name, name.replace("-", " ").capitalize()) for name in present}
    links = (element("li", element("a", names[name], href=f"#{name}")) for name in present)
    return _PAGE.substitute(
        title=text(title),
        css=files("tacit.report.page").joinpath("report.css").read_text(encoding="utf-8"),
        subtitle=subtitle,
        contents=element("nav", element("ul", *links), aria_label="Contents"),
        sections="\n".join(present.values()),
    )


def _subtitle(results: Sequence[Result]) -> Html:
    count = len(groups(results))
    seeds = len({result.seed for result in results})
    words = [
        ", ".join(dict.fromkeys(str(result.data.get("name", "unnamed data")) for result in results)),
        results[0].recipe if count == 1 else f"{count} settings",
        f"seed {results[0].seed}" if seeds == 1 else f"{seeds} seeds",
    ]
    return element("p", " · ".join(words), class_="subtitle")
