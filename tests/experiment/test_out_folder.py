from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from tacit.core.errors import BadInput, Interrupted
from tacit.experiment.batch import RunListener, Task, run_all
from tacit.experiment.out_folder import STUDY, OutFolder, clear, contents, grows, identity
from tests.experiment.running import run, small


def task(seed: int = 0, data: Any = "synthetic", label: str = "", **settings: Any) -> Task:
    return Task("baseline/central-mf", data, settings, seed, label=label)


def test_what_a_folder_holds_in_words(tmp_path: Path, tiny: dict[str, Any]) -> None:
    assert contents(tmp_path / "nowhere") == contents(tmp_path) == ""
    run(small(), out=tmp_path / "done")
    assert contents(tmp_path / "done") == "a finished run (hegedus/gossip-merge, seed 3)"
    assert contents(tmp_path) == "", "a run in a folder of its own is not in the way"
    calls = iter(range(9))
    with pytest.raises(Interrupted):
        run(small(), out=tmp_path / "half", stop=lambda: next(calls) == 2)
    assert contents(tmp_path / "half") == "a half-done run (hegedus/gossip-merge, seed 3)"
    (tmp_path / "half" / "state.npz").write_text("x")
    assert contents(tmp_path / "half") == "a damaged state.npz"
    for text, words in (
        ('{"paper": "hegedus"}', "a reproduction of hegedus"),
        ('{"runs": [{}, {}], "tests": []}', "a finished comparison of 2 runs"),
        ('{"runs": [{}], "best": {}}', "a finished sweep of 1 runs"),
        ("{", "a result.json of something else"),
    ):
        (tmp_path / "half" / "result.json").write_text(text)
        assert contents(tmp_path / "half") == words


@pytest.mark.parametrize("name", ["report.html", "curve.parquet", "table.csv"])
def test_a_file_that_a_run_would_replace_is_not_ours(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("somebody's own")
    assert contents(tmp_path) == f"a {name} of something else"
    with pytest.raises(BadInput, match=f"which holds a {name} of something else; allowed: another folder"):
        OutFolder(tmp_path).check()
    assert (tmp_path / name).read_text() == "somebody's own"


def test_a_key_is_that_of_the_run_and_not_of_its_name(tmp_path: Path) -> None:
    assert identity(task()) == identity(task(label="another name")) == identity(task(epochs="1"))
    frame = pl.DataFrame({"user": [1, 2], "item": [3, 4]})
    others = [task(1), task(epochs=2), task(data="ratings.csv"), task(data=frame), task(data=frame.reverse())]
    assert len({identity(one) for one in (task(), *others)}) == 6


def test_a_study_may_grow_and_nothing_else() -> None:
    was = {"tacit": "1", "kind": "sweep", "runs": ["a", "b"]}
    assert grows(was, was)
    assert grows(was, {**was, "runs": ["a", "b", "c"]})
    assert not grows(was, {**was, "runs": ["a", "c"]})
    assert not grows(was, {**was, "kind": "comparison"})
    assert not grows(was, {**was, "tacit": "2"})
    assert not grows({}, was)


def test_a_study_stopped_halfway_goes_on_and_is_not_replaced(tmp_path: Path, tiny: dict[str, Any]) -> None:
    tasks = [task(seed, **tiny) for seed in (0, 1)]
    asked = iter([False] * 5 + [True] * 9)
    with OutFolder(tmp_path, "comparison") as out:
        out.begin(tasks)
        with pytest.raises(Interrupted):
            run_all(tasks, tmp_path, RunListener(stop=lambda: next(asked)))
    assert contents(tmp_path) == "a half-done comparison of 2 runs"
    with OutFolder(tmp_path, "comparison") as out:
        out.begin(tasks)
        with pytest.raises(
            BadInput, match="half-done comparison of 2 runs; allowed: another folder, or --overwrite"
        ):
            out.begin([task(seed, **tiny, epochs=2) for seed in (0, 1)])
    with pytest.raises(BadInput, match="a half-done comparison"):
        OutFolder(tmp_path).check()


def test_a_study_of_which_nothing_was_run_leaves_nothing(tmp_path: Path) -> None:
    def fail() -> None:
        with OutFolder(tmp_path / "new", "sweep") as out:
            out.begin([task()])
            assert (tmp_path / "new" / STUDY).exists()
            raise BadInput("data")

    with pytest.raises(BadInput):
        fail()
    assert not (tmp_path / "new").exists()


def test_clearing_leaves_what_others_wrote(tmp_path: Path, tiny: dict[str, Any]) -> None:
    tasks = [task(seed, **tiny) for seed in (0, 1)]
    with OutFolder(tmp_path, "comparison") as out:
        out.begin(tasks)
        run_all(tasks, tmp_path)
    (tmp_path / "figures").mkdir()
    for name in ("figures/a.pdf", "figures/mine.txt", "table.csv", "table.md", ".state.npz.part"):
        (tmp_path / name).touch()
    one = next(tmp_path.glob("baseline*"))
    (one / "mine.txt").touch()
    clear(tmp_path)
    left = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()}
    assert left == {"figures/mine.txt", "table.md", f"{one.name}/mine.txt"}


def test_clearing_a_run_takes_its_figures_along_and_no_others(tmp_path: Path) -> None:
    (tmp_path / "figures").mkdir()
    for name in (
        "result.json",
        "figures/rmse-over-hours.pdf",
        "figures/hr-10-of-users.png",
        "figures/mine.png",
    ):
        (tmp_path / name).write_text("{}")
    clear(tmp_path)
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["mine.png"]
