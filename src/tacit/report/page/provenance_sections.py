"""Sections of the page on provenance: data, parameters, machine and notes, so that anyone can run it again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tacit.experiment.result import VERSION, Result
from tacit.report.page.render import Html, Marked, render
from tacit.report.run_groups import differences, groups, labels


def data_section(results: Sequence[Result]) -> Html:
    """What the runs learned from, with counts and a checksum to recognise it by."""
    seen: list[dict[str, Any]] = []
    for result in results:
        split = {"split" if key == "kind" else f"split {key}": value for key, value in result.split.items()}
        entry = {key: _counted(value) for key, value in {**result.data, **split}.items()}
        if entry not in seen:
            seen.append(entry)
    return render("data.html", entries=seen)


def _counted(value: Any) -> Any:
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return Marked(value, "code") if isinstance(value, str) and len(value) > 40 else value


def parameters_section(results: Sequence[Result]) -> Html:
    """What differs between the settings first; what they share can be unfolded."""
    everyone = groups(results)
    parameters: list[dict[str, Any]] = []
    for group in everyone:
        seeds = [result.seed for result in group.results]
        parameters.append({"seed": seeds[0] if len(seeds) == 1 else seeds, **group.results[0].parameters})
    differing = differences(parameters)
    rows = [[key, *(values.get(key) for values in parameters)] for key in differing]
    shared = {key: value for key, value in parameters[0].items() if key not in differing}
    return render(
        "parameters.html", labels=[group.label for group in everyone], differing=rows, shared=shared
    )


def machine_section(machine: Mapping[str, Any]) -> Html:
    """Versions and the machine, as far as they were given."""
    return render("machine.html", machine={"tacit": VERSION, **machine})


def notes_section(results: Sequence[Result]) -> Html:
    """The runs' own remarks; a remark that several runs share is shown once."""
    runs_with: dict[str, list[str]] = {}
    for label, result in zip(labels(results), results, strict=True):
        for note in result.notes:
            runs_with.setdefault(note, []).append(label)
    of = {note: "" if len(runs) == len(results) else ", ".join(runs) for note, runs in runs_with.items()}
    return render("notes.html", notes=of)
