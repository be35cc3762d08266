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
from tacit.experiment.result import Result
from tacit.report.formatting import brief, by_interest, headline, megabytes, number, short_name
from tacit.report.latex import latex_table
from tacit.report.run_groups import bytes_per_node, differences, metric_names

_WORDS = 3
"""How many settings a name shows; the csv has them all."""
Column = tuple[str, str]
"""A metric, and the evaluation that measured it: two evaluations are never in one column."""


@dataclass(frozen=True, slots=True)
class RunTable:
    """Finished runs with their folders, and what was left out."""

    runs: list[tuple[Path, Result]]
    left_out: list[str]
    """Folders that could not be read, each with the reason."""

    @property
    def results(self) -> list[Result]:
        """The runs alone."""
        return [result for _, result in self.runs]

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
        """The same as a frame: a column per metric, cost, and setting in which runs of a recipe differ."""
        rows = []
        for row in self.to_json()["runs"]:
            metrics, settings, cost = row.pop("metrics"), row.pop("settings"), row.pop("cost")
            for metric, evaluate in self._columns():
                row[self._title((metric, evaluate), plain=True)] = (
                    metrics.get(metric) if evaluate == str(row["evaluate"]) else None
                )
            rows.append({**row, **{name: str(value) for name, value in settings.items()}, **cost})
        return pl.DataFrame(rows, infer_schema_length=None)

    def to_csv(self) -> str:
        """As text with commas."""
        return self.frame.write_csv()

    def to_latex(self, metrics: Sequence[str] | None = None) -> str:
        """For a paper: names, seeds, and the given metrics or those that matter most."""
        return latex_table(["Run", "Seed", *self._titles(metrics)], self._rows(metrics))

    def to_terminal(self) -> Table:
        """For people: runs under the folder that holds them, or their study."""
        out = Table(
            box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1), collapse_padding=True
        )
        out.add_column("Run", overflow="fold")
        for title in ("Seed", *self._titles(None), "MB per device", "Wall time"):
            out.add_column(
                title.replace(" (", "\n(").replace("MB per ", "MB per\n"), justify="right", no_wrap=True
            )
        above: Path | None = None
        for (folder, result), (name, *cells) in zip(self.runs, self._rows(None), strict=True):
            home = folder.parent if (folder.parent / "result.json").exists() else folder
            if home != above:
                out.add_row(Text(str(home), "bold"))
                above = home
            costs = megabytes(bytes_per_node(result)), brief(result.cost.wall_seconds)
            out.add_row(Text(f"  {name}"), *map(Text, cells), *costs)
        return out

    def _rows(self, metrics: Sequence[str] | None) -> list[list[str]]:
        several = len({result.data.get("name") for result in self.results}) > 1
        rows = []
        for result, settings in zip(self.results, self._settings(), strict=True):
            words = [str(result.data.get("name"))] if several else []
            if not result.label:
                learning_first = sorted(settings, key=lambda key: key.startswith(GROUND))
                words += [f"{key}={settings[key]}" for key in learning_first]
            more = ", …" if len(words) > _WORDS else ""
            name = f"{result.name} ({', '.join(words[:_WORDS])}{more})" if words else result.name
            rows.append([name, str(result.seed), *self._values(result, metrics)])
        return rows

    def _values(self, result: Result, metrics: Sequence[str] | None) -> list[str]:
        own = str(result.parameters.get("evaluate"))
        return [
            number(result.metrics.get(metric) if evaluate == own else None)
            for metric, evaluate in self._columns(metrics, leading=True)
        ]

    def _titles(self, metrics: Sequence[str] | None) -> list[str]:
        return [self._title(column) for column in self._columns(metrics, leading=True)]

    def _title(self, column: Column, plain: bool = False) -> str:
        """The evaluation is named where there are several."""
        metric, evaluate = column
        name = metric if plain else short_name(metric)
        several = len({result.parameters.get("evaluate") for result in self.results}) > 1
        return f"{name} ({evaluate})" if several else name

    def _columns(self, metrics: Sequence[str] | None = None, leading: bool = False) -> list[Column]:
        found: list[Column] = []
        kinds = dict.fromkeys(str(result.parameters.get("evaluate")) for result in self.results)
        for evaluate in kinds:
            runs = [result for result in self.results if str(result.parameters.get("evaluate")) == evaluate]
            names = metric_names(runs)
            chosen = headline(names, 2 if len(kinds) == 1 else 1) if leading else by_interest(names)
            found += [(metric, evaluate) for metric in metrics or chosen if metric in names]
        return found

    def _settings(self) -> list[dict[str, Any]]:
        """Of each run: the settings in which runs of its recipe differ."""
        alike: dict[str, list[str]] = {}
        for result in self.results:
            if result.recipe not in alike:
                same = [other.parameters for other in self.results if other.recipe == result.recipe]
                alike[result.recipe] = differences(same)
        return [{key: result.parameters.get(key) for key in alike[result.recipe]} for result in self.results]


def table_of(folders: Sequence[str | Path]) -> RunTable:
    """Every finished run in these folders and in the folders inside them."""
    if not folders:
        raise BadInput("table", got="no folder", allowed="one or more that --out wrote")
    runs: dict[Path, Result] = {}
    left_out: dict[Path, str] = {}
    for folder in map(Path, folders):
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
