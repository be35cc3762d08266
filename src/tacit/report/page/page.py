"""The page: one self-contained HTML file that shows a run, or several side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Required, TypedDict, Unpack

from tacit.core.atomic_files import atomic_write
from tacit.core.errors import BadInput
from tacit.experiment.result import Result
from tacit.report.instruments import inside_section
from tacit.report.page.figure_sections import communication_section, curves_section, users_section
from tacit.report.page.provenance_sections import (
    data_section,
    machine_section,
    notes_section,
    parameters_section,
)
from tacit.report.page.render import Html, render
from tacit.report.page.summary_and_results import results_section, summary_section
from tacit.report.run_groups import groups


@dataclass(frozen=True, slots=True)
class Recommendations:
    """What one user gets. Each item: `title`, where known `score` and `because` (words or a list)."""

    user: str
    items: Sequence[Mapping[str, Any]]
    liked: Sequence[str] = ()
    recipe: str = ""


class ReportContents(TypedDict, total=False):
    """What a report shows beside its runs."""

    title: Required[str]
    command: Required[str]
    """What to type to run it again."""
    recommendations: Recommendations
    device: Mapping[str, Any]
    """What left one user's device: lists `left` and `stayed`, and any other names and values."""
    tests: Sequence[Mapping[str, Any]]
    """Rows of paired tests."""
    machine: Mapping[str, Any]
    """For example `this_machine()`."""
    chapters: Mapping[str, Html]
    """Further sections by their ids, which come after the summary."""


def write_report(results: Sequence[Result], path: Path | str, **contents: Unpack[ReportContents]) -> Path:
    """Write the page to `path`, whole or not at all, and give the path back."""
    if not results:
        raise BadInput("report", got="no results", allowed="at least one", where=path)
    write_page(report_page(results, **contents), path)
    return Path(path)


def write_page(page: str, path: Path | str) -> None:
    """A file that appears whole or not at all."""
    with atomic_write(Path(path)) as scratch:
        scratch.write_text(page, encoding="utf-8")


def report_page(results: Sequence[Result], **contents: Unpack[ReportContents]) -> str:
    """The page as text."""
    sections = {
        "summary": summary_section(results),
        **contents.get("chapters", {}),
        "results": results_section(results, contents.get("tests", ())),
        "curves": curves_section(results),
        "inside": inside_section(results),
        "users": users_section(results),
        "communication": communication_section(results),
        "device": _device_section(contents.get("device", {})),
        "recommendations": render("recommendations.html", given=contents.get("recommendations")),
        "data": data_section(results),
        "parameters": parameters_section(results),
        "machine": machine_section(contents.get("machine", {})),
        "notes": notes_section(results),
        "again": render("again.html", command=contents["command"]),
    }
    return assemble(contents["title"], _subtitle(results), sections)


def assemble(title: str, subtitle: str, sections: Mapping[str, Html]) -> str:
    """A whole page out of sections by their ids; empty ones are left out."""
    present = {name: section for name, section in sections.items() if section.strip()}
    return render("page.html", title=title, subtitle=subtitle, sections=present)


def _device_section(device: Mapping[str, Any]) -> Html:
    others = {key: value for key, value in device.items() if key not in ("left", "stayed")}
    counted = {key: f"{value:,}" if type(value) is int else value for key, value in others.items()}
    return render("device.html", device=device, others=counted)


def _subtitle(results: Sequence[Result]) -> str:
    count = len(groups(results))
    seeds = len({result.seed for result in results})
    words = [
        ", ".join(dict.fromkeys(str(result.data.get("name", "unnamed data")) for result in results)),
        results[0].recipe if count == 1 else f"{count} settings",
        f"seed {results[0].seed}" if seeds == 1 else f"{seeds} seeds",
    ]
    return " · ".join(words)
