"""What was computed is not lost: by another run into the same folder, a second process, a signal, or a full disk."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from tacit.cli.console import Stopper
from tacit.cli.main import call
from tacit.core.folder_lock import folder_lock
from tacit.papers.base import Paper
from tests.papers.fake_paper import fake_paper as fake_paper

TINY = ["--data", "synthetic"]
for setting in (
    "data.users=40",
    "data.items=60",
    "data.interactions=900",
    "rounds=3",
    "split=random-n",
    "split.n=3",
):
    TINY += ["--set", setting]
GOSSIP = ["run", "hegedus/gossip-merge", *TINY]
STUDIES: dict[str, list[str]] = {
    "comparison": ["compare", "hegedus/federated", "baseline/central-mf", *TINY],
    "sweep": ["sweep", "hegedus/federated", "--vary", "model.eta=0.01,0.03", *TINY],
}
PROGRAM = [sys.executable, "-c", "from tacit.cli import main; main()"]
Said = pytest.CaptureFixture[str]


def told(words: list[str], code: int, capsys: Said) -> tuple[str, str]:
    assert call(words) == code
    found = capsys.readouterr()
    return found.out, found.err


def refused(words: list[str], capsys: Said) -> str:
    """Exit code 2 and one line, nothing on stdout."""
    out, err = told(words, 2, capsys)
    assert out == ""
    assert err.count("\n") == 1, err
    return err


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_another_run_into_the_folder_of_a_finished_one_is_refused(tmp_path: Path, capsys: Said) -> None:
    out = ["--out", str(tmp_path / "one")]
    told([*GOSSIP, *out, "--json"], 0, capsys)
    before = files(tmp_path)
    for other in (["run", "baseline/popular", *TINY], [*GOSSIP, "--seed", "1"], GOSSIP):
        line = refused([*other, *out], capsys)
        assert "which holds a finished run (hegedus/gossip-merge, seed 0)" in line
        assert "--resume if it is the same run, or --overwrite to replace it" in line
    for study in STUDIES.values():
        assert "holds a finished run" in refused([*study, *out], capsys)
    assert files(tmp_path) == before
    again = json.loads(told([*GOSSIP, *out, "--json", "--resume"], 0, capsys)[0])
    assert again["metrics"] == json.loads(before["one/result.json"])["metrics"]


def test_overwrite_replaces_the_run_and_leaves_files_of_others(tmp_path: Path, capsys: Said) -> None:
    out = ["--out", str(tmp_path)]
    told(["run", "baseline/popular", *TINY, *out, "--json"], 0, capsys)
    assert (tmp_path / "per_item.parquet").exists()
    (tmp_path / "notes.txt").write_text("mine")
    told([*GOSSIP, *out, "--json", "--overwrite"], 0, capsys)
    assert json.loads((tmp_path / "result.json").read_text())["recipe"] == "hegedus/gossip-merge"
    assert not (tmp_path / "per_item.parquet").exists(), "nothing of the run before is left"
    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_a_mistake_beside_overwrite_removes_nothing(tmp_path: Path, capsys: Said) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    told([*GOSSIP, "--out", str(one), "--json"], 0, capsys)
    told([*STUDIES["comparison"], "--out", str(two), "--json"], 0, capsys)
    before = files(tmp_path)
    refused([*GOSSIP, "--out", str(one), "--overwrite", "--set", "epohcs=2"], capsys)
    refused(["run", "hegedus/gossip", "--data", "no.csv", "--out", str(one), "--overwrite"], capsys)
    words = ["compare", "hegedus/gossip", "--data", "no.csv", "--out", str(two), "--overwrite"]
    refused(words, capsys)
    assert "one of the two" in refused([*GOSSIP, "--out", str(one), "--overwrite", "--resume"], capsys)
    assert "--out DIR" in refused([*GOSSIP, "--overwrite"], capsys)
    assert files(tmp_path) == before


@pytest.mark.parametrize("kind", STUDIES)
def test_a_study_goes_on_and_grows_but_is_not_replaced(kind: str, tmp_path: Path, capsys: Said) -> None:
    study, out = STUDIES[kind], ["--out", str(tmp_path)]
    told([*study, *out, "--json"], 0, capsys)
    told([*study, *out, "--json"], 0, capsys)
    told([*study, *out, "--json", "--seeds", "2"], 0, capsys)
    before = files(tmp_path)
    line = refused([*study, *out], capsys)
    assert f"which holds a finished {kind} of 4 runs" in line, "fewer seeds would replace what is there"
    assert "--overwrite" in line
    assert f"holds a finished {kind}" in refused([*GOSSIP, *out], capsys)
    (other,) = [words for name, words in STUDIES.items() if name != kind]
    refused([*other, *out], capsys)
    assert files(tmp_path) == before
    told([*other, *out, "--json", "--overwrite"], 0, capsys)
    seeds = {path.parent.name.split("-seed")[1][0] for path in tmp_path.glob("*/run.json")}
    assert seeds == {"0"}, "the runs of the study before are gone"


def test_a_reproduced_paper_is_not_replaced_by_a_part_of_it(
    fake_paper: Paper, tmp_path: Path, capsys: Said
) -> None:
    out = ["--out", str(tmp_path)]
    told(["reproduce", "fake", "--table", "table-1", *out, "--json"], 0, capsys)
    told(["reproduce", "fake", *out, "--json"], 0, capsys)
    assert "a reproduction of fake" in refused(
        ["reproduce", "fake", "--quick", "--table", "table-1", *out], capsys
    )
    told(["reproduce", "fake", "--quick", "--table", "table-1", *out, "--json", "--overwrite"], 0, capsys)
    assert len(list(tmp_path.glob("*/run.json"))) == 2


def test_a_folder_in_which_another_process_writes_is_refused(tmp_path: Path, capsys: Said) -> None:
    with folder_lock(tmp_path):
        for words in (GOSSIP, [*GOSSIP, "--overwrite"], *STUDIES.values()):
            assert f"process ({os.getpid()}) is writing" in refused([*words, "--out", str(tmp_path)], capsys)
    told([*GOSSIP, "--out", str(tmp_path), "--json"], 0, capsys)


def test_a_mistake_leaves_no_empty_folder_behind(tmp_path: Path, capsys: Said) -> None:
    for words in (GOSSIP, STUDIES["comparison"]):
        refused([*words, "--data", "no.csv", "--out", str(tmp_path / "new")], capsys)
        assert not (tmp_path / "new").exists()


def full_disk(monkeypatch: pytest.MonkeyPatch, room: int) -> None:
    """Files of up to so many bytes can still be written."""
    replace = Path.replace

    def take(self: Path, target: Any) -> Path:
        if self.stat().st_size > room:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", take)


@pytest.mark.parametrize("as_json", [True, False])
def test_a_full_disk_loses_the_folder_and_not_the_figures(
    as_json: bool, tmp_path: Path, capsys: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    full_disk(monkeypatch, 0)
    monkeypatch.setattr("tacit.experiment.run._FIRST_SAVE", 0.0)  # saving on the way fails, too
    out, err = told([*GOSSIP, "--out", str(tmp_path), *(["--json"] if as_json else [])], 2, capsys)
    if as_json:
        assert json.loads(out)["metrics"]["rmse"] > 0
    else:
        assert "RMSE" in out
        assert "the run could not be saved on its way" in " ".join(out.split())
    assert err.splitlines()[-1].startswith(
        f"tacit: --out: got {tmp_path}; allowed: a folder with room to write"
    )
    assert "No space left" in err
    assert files(tmp_path) == {}


def test_figures_are_written_where_there_is_no_room_for_the_models(
    tmp_path: Path, capsys: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    wide = [*GOSSIP, "--set", "model.k=40"]
    full_disk(monkeypatch, 100_000)
    out, _ = told([*wide, "--out", str(tmp_path), "--json"], 2, capsys)
    assert json.loads((tmp_path / "result.json").read_text()) == json.loads(out)
    assert not (tmp_path / "state.npz").exists()
    monkeypatch.undo()
    line = refused(["recommend", str(tmp_path), "--user", "1"], capsys)
    assert "models: got none" in line


def test_a_full_disk_loses_no_figure_of_a_comparison(
    tmp_path: Path, capsys: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    full_disk(monkeypatch, 700)  # study.json fits
    out, err = told([*STUDIES["comparison"], "--out", str(tmp_path), "--json"], 2, capsys)
    assert len(json.loads(out)["runs"]) == 2
    assert "No space left" in err
    monkeypatch.undo()
    told([*STUDIES["comparison"], "--out", str(tmp_path), "--json"], 0, capsys)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_tables_that_polars_cannot_write_lose_no_figure(
    tmp_path: Path, capsys: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = pl.DataFrame.write_parquet
    monkeypatch.setattr(pl.DataFrame, "write_parquet", lambda frame, path: write(frame, "/dev/full"))
    out, err = told([*STUDIES["comparison"], "--out", str(tmp_path / "two"), "--json"], 0, capsys)
    notes = [run["notes"] for run in json.loads(out)["runs"]]
    assert all("No space left on device" in " ".join(each) for each in notes)
    out, err = told([*GOSSIP, "--out", str(tmp_path / "one"), "--json"], 2, capsys)
    assert json.loads(out)["metrics"]["rmse"] > 0
    assert err.splitlines()[-1].endswith("allowed: a folder with room to write (No space left on device)")


def test_a_reader_who_goes_away_does_not_take_the_folder_along(tmp_path: Path) -> None:
    words = [*PROGRAM, *GOSSIP, "--json", "--out", str(tmp_path / "run")]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert process.stdout is not None
    process.stdout.close()
    assert process.wait() != 0
    assert json.loads((tmp_path / "run" / "result.json").read_text())["metrics"]["rmse"] > 0


LONG = [
    "run",
    "hegedus/gossip-merge",
    "--data",
    "synthetic",
    "--set",
    "data.users=40",
    "--set",
    "data.items=60",
]
LONG += ["--set", "data.interactions=900", "--set", "evaluate.points=4", "--json", "--set"]


def started(folder: Path, hours: str) -> subprocess.Popen[str]:
    """A run that has begun to learn."""
    words = [*PROGRAM, *LONG, f"hours={hours}", "--out", str(folder)]
    words.remove("--json")
    process = subprocess.Popen(words, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    assert process.stderr is not None
    for line in process.stderr:
        if "started" in line:
            break
    return process


@pytest.mark.skipif(os.name == "nt", reason="signals are different there")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_saves_and_resume_ends_with_the_same_bits(
    number: signal.Signals, code: int, tmp_path: Path, capsys: Said
) -> None:
    process = started(tmp_path / "run", "8000")
    process.send_signal(number)
    assert process.stderr is not None
    said = process.stderr.read()
    assert process.wait() == code
    assert "continue with --out" in said
    assert "Traceback" not in said
    assert not (tmp_path / "run" / "result.json").exists()
    assert "a half-done run" in refused([*LONG, "hours=8000", "--out", str(tmp_path / "run")], capsys)
    resumed = json.loads(
        told([*LONG, "hours=8000", "--out", str(tmp_path / "run"), "--resume"], 0, capsys)[0]
    )
    straight = json.loads(told([*LONG, "hours=8000"], 0, capsys)[0])
    assert resumed["metrics"] == straight["metrics"]
    assert resumed["curve"] == straight["curve"]


@pytest.mark.skipif(os.name == "nt", reason="terminals are different there")
def test_a_terminal_that_closes_saves_the_run(tmp_path: Path, capsys: Said) -> None:
    terminal, end = os.openpty()
    words = [word for word in LONG if word != "--json"] + ["hours=500000", "--out", str(tmp_path)]
    process = subprocess.Popen([*PROGRAM, *words], stdout=end, stderr=end, start_new_session=True)
    os.close(end)
    said = b""
    while b"rounds" not in said:  # its line of progress
        said += os.read(terminal, 4096)
    os.close(terminal)  # from now on its every word fails
    process.send_signal(signal.SIGHUP)
    assert process.wait() == 128 + signal.SIGHUP
    assert "a half-done run" in refused([*LONG, "hours=500000", "--out", str(tmp_path)], capsys)


@pytest.mark.skipif(os.name == "nt", reason="signals are different there")
def test_a_run_under_nohup_goes_on() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with Stopper() as stopper:
            signal.raise_signal(signal.SIGHUP)
            assert not stopper.asked()
    finally:
        signal.signal(signal.SIGHUP, before)


@pytest.mark.skipif(os.name == "nt", reason="signals are different there")
def test_a_second_signal_stops_at_once_with_its_code(tmp_path: Path) -> None:
    process = started(tmp_path, "500000")
    os.kill(process.pid, signal.SIGTERM)
    time.sleep(0.001)
    os.kill(process.pid, signal.SIGTERM)
    assert process.wait() == 143


@pytest.mark.skipif(os.name == "nt", reason="signals are different there")
def test_a_killed_run_has_saved_within_seconds_and_blocks_nobody(tmp_path: Path, capsys: Said) -> None:
    process = started(tmp_path, "500000")
    began = time.monotonic()
    while not (tmp_path / "state.npz").exists():
        assert time.monotonic() - began < 30, "10 seconds of learning, on a busy machine"
        time.sleep(0.1)
    process.kill()
    process.wait()
    assert "a half-done run" in refused([*LONG, "hours=500000", "--out", str(tmp_path)], capsys)
    told([*GOSSIP, "--out", str(tmp_path), "--overwrite", "--json"], 0, capsys)


@pytest.mark.skipif(os.name == "nt", reason="signals are different there")
def test_a_stopped_comparison_goes_on_with_the_same_command(tmp_path: Path, capsys: Said) -> None:
    words = ["compare", "hegedus/gossip-merge", "hegedus/gossip", *LONG[2:-2], "--set", "hours=4000"]
    program = [*PROGRAM, *words, "--out", str(tmp_path / "study")]
    process = subprocess.Popen(program, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    assert process.stderr is not None
    for line in process.stderr:
        if "(1 of 2): started" in line:
            break
    process.terminate()
    said = process.stderr.read()
    assert process.wait() == 143
    assert "the same command continues from here" in said
    assert "a half-done comparison of 2 runs" in refused([*GOSSIP, "--out", str(tmp_path / "study")], capsys)
    again = json.loads(told([*words, "--json", "--out", str(tmp_path / "study")], 0, capsys)[0])
    straight = json.loads(told([*words, "--json"], 0, capsys)[0])
    assert [run["curve"] for run in again["runs"]] == [run["curve"] for run in straight["runs"]]
