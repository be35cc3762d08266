"""Many finished runs as one table: one row per run, wherever their folders are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import polars as pl
from rich import box
from rich.table import Table
from rich.text import Text

from tacit.core.errors import BadInput
from tacit.experiment import run_folder
from tacit.experiment.compare import GROUND
from tacit.experiment.kinds_of_lists import evaluation_of, qualified, told_apart
from tacit.experiment.result import Result
from tacit.report.formatting import (
    brief,
    by_interest,
    column_title,
    headline,
    megabytes,
    short_name,
    value_of,
)
from tacit.report.latex import latex_table
from tacit.report.run_groups import bytes_per_node, differences, metric_names

_WORDS = 3
"""How many settings a name shows; the csv has them all."""
_NARROW = 9
"""How wide a title's lines may be, so that several kinds of lists fit beside the names."""


@dataclass(frozen=True, slots=True)
class RunTable:
    """Finished runs with their folders, and what was left out."""

    runs: list[tuple[Path, Result]]
    left_out: list[str]
    """Folders that could not be read, each with the reason."""

    @property
    def results(self) -> list[Result]:
        """The runs alone. A metric that is of different lists in some has a name of its own for each kind."""
        return told_apart([result for _, result in self.runs])

    def to_json(self) -> dict[str, Any]:
        """One object: a row per run, and what was left out."""
        return {
            "runs": [
                {
                    "folder": str(folder),
                    "recipe": result.recipe,
                    "label": result.name,
                    "seed": result.seed,
                    "data": result.data.get("name"),
                    "split": result.split.get("kind"),
                    "evaluate": result.parameters.get("evaluate"),
                    "evaluation": dict(result.evaluation or evaluation_of(result.parameters)),
                    "settings": settings,
                    "metrics": dict(result.metrics),
                    "cost": result.to_json()["cost"],
                }
                for (folder, result), settings in zip(self.runs, self._settings(), strict=True)
            ],
            "left_out": self.left_out,
        }

    @property
    def frame(self) -> pl.DataFrame:
        """The same as a frame: a column per metric, cost, and setting in which runs of a recipe differ.

        Metrics have the names of the contract, and `list` says of which kind of list they are. A metric that is of
        different kinds of lists in some runs has a column for each kind, with the kind in its name.
        """
        rows = []
        results = self.results
        columns = by_interest(metric_names(results))
        for row, result in zip(self.to_json()["runs"], results, strict=True):
            settings, cost = row.pop("settings"), row.pop("cost")
            measured = row.pop("evaluation")
            del row["metrics"]
            row |= {name: measured.get(name) for name in ("list", "list of f1")}
            metrics = {name: result.metrics.get(name) for name in columns}
            rows.append({**row, **metrics, **{name: str(value) for name, value in settings.items()}, **cost})
        return pl.DataFrame(rows, infer_schema_length=None)

    def to_csv(self) -> str:
        """As text with commas."""
        return self.frame.write_csv()

    def to_latex(self, metrics: Sequence[str] | None = None) -> str:
        """For a paper: names, seeds, and the given metrics or those that matter most."""
        columns = self._columns(metrics)
        titles = [short_name(qualified(name, self.results)) for name in columns]
        return latex_table(["Run", "Seed", *titles], self._rows(columns))

    def to_terminal(self) -> Table:
        """The table for people: runs are grouped by their folder or study."""
        out = Table(
            box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1), collapse_padding=True
        )
        out.add_column("Run", overflow="fold")
        columns = self._columns()
        titles = [column_title(qualified(name, self.results), _NARROW) for name in columns]
        for title in ("Seed", *titles, "MB per\ndevice", "Wall\ntime"):
            out.add_column(title, justify="right", no_wrap=True)
        above: Path | None = None
        for (folder, result), (name, *cells) in zip(self.runs, self._rows(columns), strict=True):
            home = folder.parent if (folder.parent / "result.json").exists() else folder
            if home != above:
                out.add_row(Text(str(home), "bold"))
                above = home
            costs = megabytes(bytes_per_node(result)), brief(result.cost.wall_seconds)
            out.add_row(Text(f"  {name}"), *map(Text, cells), *costs)
        return out

    def _rows(self, columns: Sequence[str]) -> list[list[str]]:
        results = self.results
        several = len({result.data.get("name") for result in results}) > 1
        rows = []
        for result, settings in zip(results, self._settings(), strict=True):
            words = [str(result.data.get("name"))] if several else []
            if not result.label:
                learning_first = sorted(settings, key=lambda key: key.startswith(GROUND))
                words += [f"{key}={settings[key]}" for key in learning_first]
            more = ", …" if len(words) > _WORDS else ""
            name = f"{result.name} ({', '.join(words[:_WORDS])}{more})" if words else result.name
            rows.append([name, str(result.seed), *(value_of(c, result.metrics.get(c)) for c in columns)])
        return rows

    def _columns(self, metrics: Sequence[str] | None = None) -> list[str]:
        """The given metrics, of every kind of list there is; by default those that matter most in each kind."""
        alike: dict[tuple[object, str], list[Result]] = {}
        for result in self.results:
            kind = result.parameters.get("evaluate"), result.list_of("hr@1")
            alike.setdefault(kind, []).append(result)
        found: list[str] = []
        for runs in alike.values():
            names = metric_names(runs)
            if metrics is None:
                found += headline(names, 2 if len(alike) == 1 else 1)
            else:
                found += [name for metric in metrics for name in names if name.split(", ")[0] == metric]
        return list(dict.fromkeys(found))

    def _settings(self) -> list[dict[str, Any]]:
        """Of each run: the settings that it has, and in which runs of its recipe differ."""
        alike: dict[str, list[str]] = {}
        for result in self.results:
            if result.recipe not in alike:
                same = [other.parameters for other in self.results if other.recipe == result.recipe]
                alike[result.recipe] = differences(same)
        return [
            {key: result.parameters[key] for key in alike[result.recipe] if key in result.parameters}
            for result in self.results
        ]


def table_of(folders: Sequence[str | Path]) -> RunTable:
    """Every finished run in these folders and in the folders inside them."""
    if not folders:
        raise BadInput("table", got="no folder", allowed="one or more that --out wrote")
    runs: dict[Path, Result] = {}
    left_out: dict[Path, str] = {}
    for folder in map(run_folder.folder_path, folders):
        if not folder.is_dir():
            raise BadInput("folder", got=folder, allowed="one that --out wrote")
        for path in sorted(folder.rglob("result.json")):
            if run_folder.CHOOSING not in path.parts and _is_run(path):
                try:
                    runs[path.parent] = run_folder.read_result(path.parent)[0]
                except BadInput as problem:
                    left_out[path.parent] = str(problem)
        for path in sorted(folder.rglob(run_folder.STATE)):
            if run_folder.CHOOSING not in path.parts and not (path.parent / "result.json").exists():
                left_out[path.parent] = "a half-done run"
    if not runs:
        where = ", ".join(map(str, folders))
        reasons = "; ".join(f"{path}: {why}" for path, why in left_out.items())
        raise BadInput(
            "table", got=f"no finished run in {where}", allowed="a folder that --out wrote", where=reasons
        )
    ordered = sorted(runs.items(), key=lambda one: (one[0].parent, one[1].name, one[1].seed))
    return RunTable(ordered, [f"{path}: {why}" for path, why in left_out.items()])


def _is_run(path: Path) -> bool:
    """Whether a result.json is that of a run; that of a study repeats what the folders of its runs say."""
    try:
        found = msgspec.json.decode(path.read_bytes())
    except (OSError, msgspec.DecodeError):
        return True  # damaged: reading it says so
    return isinstance(found, dict) and "recipe" in found
