"""The folder given to `--out`: what it holds, who may write there, and what `--overwrite` removes.

A folder belongs to one run, or to one study (a comparison, a sweep, a reproduced paper) with a folder per run inside.
It is held by one process at a time. A study may be begun again and may grow: more recipes, more seeds. Whatever would
replace something else is refused unless it is to be overwritten.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any, Literal

import msgspec

from tacit.core.errors import BadInput
from tacit.core.folder_lock import folder_lock
from tacit.data.dataset import to_rows
from tacit.data.source_rows import SourceRows
from tacit.experiment import run_folder
from tacit.experiment.batch import Task, prepare_task
from tacit.experiment.prepare import source_of
from tacit.experiment.recipes import recipe
from tacit.experiment.result import VERSION
from tacit.experiment.run_settings import RunSettings, plain_settings, settle

STUDY = "study.json"
"""Written when a study begins: its kind and its runs."""
_TABLES = ("table.csv", "table.tex")
MADE = (*_TABLES, "figures/*.png", "figures/*.svg", "figures/*.pdf", "tables/*.csv", "tables/*.tex")
"""What a study writes beside its result, its report and the folders of its runs."""
MADE_OF_A_RUN = tuple(
    f"figures/*-{name}.*" for name in ("over-hours", "over-rounds", "over-bytes", "of-users")
)
"""What a run writes beside the files of `run_folder`."""
Kind = Literal["run", "comparison", "sweep", "reproduction"]


class OutFolder:
    """A folder that is held while a run or a study writes there; without a path it does nothing.

    with OutFolder(path, "comparison") as out:
        out.begin(tasks)
    """

    def __init__(
        self, path: Path | None, kind: Kind = "run", *, overwrite: bool = False, resume: bool = False
    ) -> None:
        self.path, self.kind = path, kind
        self._overwrite, self._resume = overwrite, resume
        self._began = False
        self._held = ExitStack()
        if overwrite and resume:
            raise BadInput("--overwrite", got="--resume beside it", allowed="one of the two")
        if overwrite and path is None:
            raise BadInput("--overwrite needs --out DIR")

    def check(self) -> None:
        """Refuse a folder that holds a run already. For a single run; cheap enough to be asked before loading data."""
        if self.path is None or self._overwrite or self._resume:
            return
        if held := contents(self.path):
            raise self._refused(held)

    def __enter__(self) -> OutFolder:
        if self.path is not None:
            new = not self.path.exists()
            run_folder.open_folder(self.path)
            if new:
                self._held.callback(_remove_if_empty, self.path)
            self._held.enter_context(folder_lock(self.path))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None and self.path is not None and self._began and not runs_inside(self.path):
            (self.path / STUDY).unlink(missing_ok=True)  # nothing was run
        self._held.close()

    def begin(self, tasks: Sequence[Task] = ()) -> None:
        """Everything that can be checked was: look again who is here, and remove what is to be overwritten.

        `tasks` are the runs of a study.
        """
        if self.path is None or self._resume:
            return
        held = contents(self.path)
        mine = self._study(tasks)
        if held and self._overwrite:
            if tasks:
                prepare_task(tasks[0])  # a mistake in the data is found before anything is gone
            clear(self.path)
        elif held and (self.kind == "run" or not grows(_read(self.path / STUDY), mine)):
            raise self._refused(held)
        if self.kind != "run":
            run_folder.write_json(self.path / STUDY, mine)
            self._began = True

    def _study(self, tasks: Sequence[Task]) -> dict[str, Any]:
        return {"tacit": VERSION, "kind": self.kind, "runs": sorted(set(map(identity, tasks)))}

    def _refused(self, held: str) -> BadInput:
        going_on = " --resume if it is the same run," if self.kind == "run" and " run (" in held else ""
        allowed = f"another folder,{going_on} or --overwrite to replace it"
        return BadInput("--out", got=f"{self.path}, which holds {held}", allowed=allowed)


def out_path(out: str | Path | None) -> Path | None:
    """The folder that somebody named. An empty text names none, and would be the current one."""
    if isinstance(out, str) and not out.strip():
        raise BadInput("--out", got="an empty text", allowed="a folder; . is the current one")
    return None if out is None else run_folder.folder_path(out, "--out")


def contents(folder: Path) -> str:
    """The run or the study that is in a folder, in words; empty where there is none.

    What lies deeper, in folders of their own, is not meant: nothing there is written over.
    """
    result, study = folder / "result.json", _read(folder / STUDY)
    if result.exists():
        return _finished(_read(result))
    if (folder / run_folder.STATE).exists():
        try:
            facts = run_folder.read_facts(folder)
        except BadInput:
            return f"a damaged {run_folder.STATE}"
        return f"a half-done run ({facts.get('recipe')}, seed {facts.get('seed')})"
    if study and runs_inside(folder):
        return f"a half-done {study.get('kind', 'study')} of {len(study.get('runs', ()))} runs"
    foreign = next((name for name in (*run_folder.LAST, *_TABLES) if (folder / name).exists()), None)
    return f"a {foreign} of something else" if foreign and not study else ""


def runs_inside(folder: Path) -> list[Path]:
    """The folders of a study's runs, finished or not."""
    files = [path for name in ("run.json", run_folder.STATE) for path in folder.glob(f"*/{name}")]
    return sorted({path.parent for path in files})


def _finished(result: dict[str, Any]) -> str:
    if "recipe" in result:
        return f"a finished run ({result['recipe']}, seed {result.get('seed')})"
    if "paper" in result:
        return f"a reproduction of {result['paper']}"
    if "runs" in result:
        return f"a finished {'sweep' if 'best' in result else 'comparison'} of {len(result['runs'])} runs"
    return "a result.json of something else"


def grows(was: dict[str, Any], now: dict[str, Any]) -> bool:
    """Whether a study goes on with the one before: the same kind, and every run of that one is among its own."""
    same = (was.get("tacit"), was.get("kind")) == (now["tacit"], now["kind"])
    return same and set(was.get("runs", ())) <= set(now["runs"])


def identity(task: Task) -> str:
    """A key of a run that is wanted: recipe, every parameter, seed and data, whatever it is called."""
    settled = settle(recipe(task.recipe).parameters, plain_settings(task.settings))
    found = (
        task.data
        if isinstance(task.data, str | Path)
        else to_rows(task.data, RunSettings.of(settled).data.columns)
    )
    data = found.sha256 if isinstance(found, SourceRows) else source_of(found)
    text = msgspec.json.encode([task.recipe, sorted(settled.items()), task.seed, data])
    return hashlib.sha256(text).hexdigest()[:16]


def clear(folder: Path) -> None:
    """Delete what a run or a study left in a folder. Files that tacit did not write stay."""
    study = (folder / STUDY).exists() or "runs" in _read(folder / "result.json")
    for inside in runs_inside(folder) if study else ():
        run_folder.remove_run(inside)
    for path in [path for made in ((STUDY, *MADE) if study else MADE_OF_A_RUN) for path in folder.glob(made)]:
        path.unlink(missing_ok=True)
    for name in ("figures", "tables"):
        _remove_if_empty(folder / name)
    run_folder.remove_run(folder)


def _remove_if_empty(folder: Path) -> None:
    if folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()


def _read(path: Path) -> dict[str, Any]:
    """A JSON object; an empty one where there is none."""
    try:
        found = msgspec.json.decode(path.read_bytes())
    except (OSError, msgspec.DecodeError):
        return {}
    return found if isinstance(found, dict) else {}
