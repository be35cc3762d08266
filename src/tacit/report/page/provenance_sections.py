"""How it came about: the sections of the page that let anyone run it again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tacit.experiment.result import VERSION, Result
from tacit.report.page.elements import Html, bullets, element, pairs, section, table
from tacit.report.run_groups import differences, labels


def data_section(results: Sequence[Result]) -> Html:
    """What the runs learned from, with counts and a checksum to recognise it by."""
    seen: list[dict[str, Any]] = []
    for result in results:
        split = {"split" if key == "kind" else f"split {key}": value for key, value in result.split.items()}
        entry = {key: _counted(value) for key, value in {**result.data, **split}.items()}
        if entry not in seen:
            seen.append(entry)
    return section("data", "Data", *(pairs(entry) for entry in seen))


def _counted(value: Any) -> Any:
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return element("code", value) if isinstance(value, str) and len(value) > 40 else value


def parameters_section(results: Sequence[Result]) -> Html:
    """What differs between the runs first; what they share can be unfolded."""
    told = [{"seed": r.seed, **r.parameters} for r in results]
    differing = differences(told)
    shared = {key: value for key, value in told[0].items() if key not in differing}
    parts: list[Html] = []
    if differing:
        rows = [[key, *(t.get(key) for t in told)] for key in differing]
        caption = "Parameters that differ between the runs"
        parts.append(table(caption, ["Parameter", *labels(results)], rows, numeric=False))
    title = f"{'The same in all runs' if len(results) > 1 else 'Every parameter'} ({len(shared)})"
    if shared:
        parts.append(element("details", element("summary", title), pairs(shared)))
    return section("parameters", "Parameters", *parts)


def machine_section(machine: Mapping[str, Any] | None) -> Html:
    """Versions and the machine, as far as they were given."""
    return section("machine", "Versions and machine", pairs({"tacit": VERSION, **(machine or {})}))


def notes_section(results: Sequence[Result]) -> Html:
    """The runs' own remarks; a remark that several runs share is told once."""
    told: dict[str, list[str]] = {}
    for label, result in zip(labels(results), results, strict=True):
        for note in result.notes:
            told.setdefault(note, []).append(label)
    if not told:
        return Html("")
    lines = [
        note
        if len(runs) == len(results)
        else Html(element("b", ", ".join(runs)) + ": " + element("span", note))
        for note, runs in told.items()
    ]
    return section("notes", "Notes", bullets(lines))


def command_section(command: str) -> Html:
    """What to type to get the same numbers."""
    return section(
        "again",
        "Run it again",
        element("p", "Same data, same seed, same numbers:", class_="hint"),
        element("pre", element("code", command)),
    )
