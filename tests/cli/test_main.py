"""The command line as a user types it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tacit.cli.main import call

TINY = [
    "--data", "synthetic", "--set", "data.users=40", "--set", "data.items=60", "--set", "data.interactions=900",
]  # fmt: skip


def ok(words: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    assert call(words) == 0
    return capsys.readouterr().out


def refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """Exit code 2, nothing on stdout, one line on stderr."""
    assert call(words) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1, told.err
    assert "Traceback" not in told.err
    return told.err


def test_run_prints_exactly_one_object(capsys: pytest.CaptureFixture[str]) -> None:
    out = ok(["run", "hegedus/gossip-10", *TINY, "--set", "hours=3", "--seed", "1", "--json"], capsys)
    result = json.loads(out)
    assert out.count("\n") == 1
    assert result["recipe"] == "hegedus/gossip-10"
    assert result["seed"] == 1
    assert result["parameters"]["model.k"] == 5
    assert result["data"]["users"] == 40
    assert result["metrics"]["rmse"] > 0


def test_run_for_people_tells_what_it_cost(capsys: pytest.CaptureFixture[str]) -> None:
    call(["run", "hegedus/federated", *TINY, "--set", "hours=3"])
    told = capsys.readouterr()
    assert "RMSE" in told.out
    assert "MB sent per device" in told.out
    assert "memory: about" in told.err


def test_run_writes_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "run"
    words = ["run", "hegedus/gossip-merge", *TINY, "--set", "hours=3", "--out", str(out), "--json"]
    printed = json.loads(ok(words, capsys))
    assert {p.name for p in out.iterdir()} == {
        "result.json", "run.json", "per_user.parquet", "curve.parquet", "report.html", "state.npz", "figures",
    }  # fmt: skip
    assert json.loads((out / "result.json").read_text()) == printed
    again = json.loads(ok([*words, "--resume"], capsys))
    assert again["curve"] == printed["curve"]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("", "empty"),
        ("user,item,rating\n", "no rows"),
        ("user,film\n1,2\n", "column item is missing"),
        ("user,item,rating\n1,1,good\n2,2,3\n", "line 2"),
        ("user,item,rating\n1,1,nan\n2,2,3\n", "finite"),
        ("user,item,rating\n1,1,3\n1,2,3\n", "users: got only one"),
        ("user,item,rating\n1,1,3\n2,1,3\n", "items: got only one"),
        ("user,item,rating\n1,1,3\n1,1,4\n2,2,3\n", "data.duplicates=latest"),
        ("user,item,rating\n1,1,3\n2,2,3\n", "test part"),
    ],
)
def test_bad_data_gets_one_clear_line(
    content: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "ratings.csv"
    file.write_text(content)
    out = tmp_path / "out"
    line = refused(["run", "hegedus/gossip", "--data", str(file), "--out", str(out)], capsys)
    assert told in line
    assert not out.exists()


def test_a_user_with_a_single_rating_is_kept_and_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "ratings.csv"
    rows = [f"u{u},i{i},{1 + (u * i) % 5}" for u in range(5) for i in range(12)]
    file.write_text("\n".join(["user,item,rating", *rows, "lonely,i1,4"]) + "\n")
    out = ok(["run", "hegedus/gossip", "--data", str(file), "--set", "hours=1"], capsys)
    assert "1 of 6 users have too few interactions" in out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["run", "hegedus/gosip", *TINY], "did you mean hegedus/gossip?"),
        (["run", "hegedus/gossip", "--data", "no-such-data"], "known: amazon-digital-music"),
        (["run", "hegedus/gossip", "--data", "nowhere.csv"], "no such file"),
        (["run", "hegedus/gossip", *TINY, "--set", "epochs=x"], "epochs: got x"),
        (["run", "hegedus/gossip", *TINY, "--set", "churn=nowhere.csv"], "churn trace"),
        (["run", "hegedus/gossip", *TINY, "--seed", "-1"], "--seed"),
        (["run", "hegedus/gossip", *TINY, "--seed", "one"], "--seed"),
        (["run", "hegedus/gossip", *TINY, "--resume"], "--out"),
        (["run"], "recipe"),
        (["run"], "(tacit run --help)"),
        (["data", "nothing"], "(tacit data --help)"),
        (["runn"], "Did you mean 'run'"),
        (["show", "x"], "recipe: got x"),
        (["data", "describe", "x"], "data set: got x"),
        (["data", "prepare", "x.csv", "y.csv"], "x.csv"),
    ],
)
def test_wrong_usage_gets_one_clear_line(
    words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert told.lower() in refused(words, capsys).lower()  # typer's versions write RECIPE or recipe


def test_commands_are_listed_in_the_order_in_which_they_are_needed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    listed = ok([], capsys).partition("Commands:")[2]
    names = re.findall(r"^  ([a-z]+) ", listed, re.MULTILINE)
    assert names[:5] == ["demo", "recipes", "show", "run", "compare"]
    assert names[-2:] == ["node", "bench"]


def test_a_trace_with_unknown_nodes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trace = tmp_path / "trace.csv"
    trace.write_text("node,start,end\nnobody,0,10\n")
    assert "nobody" in refused(["run", "hegedus/gossip", *TINY, "--set", f"churn={trace}"], capsys)


def test_recipes_and_show(capsys: pytest.CaptureFixture[str]) -> None:
    listed = json.loads(ok(["recipes", "--json"], capsys))["recipes"]
    for recipe in listed:
        shown = json.loads(ok(["show", recipe["name"], "--json"], capsys))
        assert shown["parameters"]["model"]
    assert "hegedus/gossip-10" in ok(["recipes"], capsys)
    assert "regularization" in ok(["show", "hegedus/gossip-10"], capsys)


def test_data_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = [d["name"] for d in json.loads(ok(["data", "list", "--json"], capsys))["datasets"]]
    assert {"movielens-100k", "movielens-1m", "movielens-10m", "mnist", "yahoo-r3"} <= set(names)
    assert all(name in ok(["data", "list"], capsys) for name in names)
    assert json.loads(ok(["data", "describe", "synthetic", "--json"], capsys))["users"] == 1000
    assert "1,000" in ok(["data", "describe", "synthetic"], capsys)
    source, target = tmp_path / "in.csv", tmp_path / "out.parquet"
    source.write_text("user,item,rating\na,x,1\nb,y,2\n")
    ok(["data", "prepare", str(source), str(target), "--json"], capsys)
    assert json.loads(ok(["data", "describe", str(target), "--json"], capsys))["interactions"] == 2


def test_a_log_of_devices_becomes_a_churn_trace(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log, trace = tmp_path / "log.csv", tmp_path / "trace.csv"
    reports = [f"{phone},{hour * 3600},{int(hour % 24 < 5)},8\n" for phone in "abc" for hour in range(72)]
    log.write_text("user,time,charging,mbit\n" + "".join(reports))
    words = ["data", "trace", str(log), str(trace), "--data", "synthetic", "--json"]
    facts = json.loads(ok(words, capsys))
    assert (facts["devices"], facts["segments"], facts["nodes"]) == (3, 6, 1000)
    assert facts["share_online"] == pytest.approx(5 / 24, rel=0.01)
    churn = ["--set", f"churn={trace}", "--set", "rounds=2", "--set", "hours=none"]
    ran = json.loads(ok(["run", "hegedus/gossip", "--data", "synthetic", *churn, "--json"], capsys))
    assert 0 < ran["cost"]["messages"] < 2000
    assert "no folder" in refused([*words[:3], str(tmp_path / "no" / "t.csv"), *words[4:-1]], capsys)
    missing = [*words[:2], str(tmp_path / "no" / "log.csv"), *words[3:-1], "--overwrite"]
    assert "log.csv" in refused(missing, capsys)


def test_a_trace_replaces_no_file_unasked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log, other = tmp_path / "log.csv", tmp_path / "other.csv"
    log.write_text("user,time,charging,mbit\n")
    other.write_text("precious")
    words = ["data", "trace", str(log), "--data", "synthetic"]
    assert "which exists; allowed: a new file, or --overwrite" in refused([*words, str(other)], capsys)
    assert "the file that is read" in refused([*words, str(log), "--overwrite"], capsys)
    assert other.read_text() == "precious"


def test_help_and_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert "Start with: tacit demo" in ok(["--help"], capsys)
    assert "Start with: tacit demo" in ok([], capsys)
    assert ok(["--version"], capsys).startswith("tacit ")


def test_debug_shows_where(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(Exception, match="recipe"):
        call(["--debug", "show", "x"])


def test_help_imports_nothing_heavy() -> None:
    code = "import sys, tacit.cli.main; print({'numpy', 'numba', 'polars', 'matplotlib'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_demo_shows_everything_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from tacit.cli import demo

    # The real demo has 943 people and 212 rounds; fewer are enough to see that every part is there.
    prepare = demo.prepare
    small = {**demo.GROUND, "data.users": 60, "data.items": 150, "data.interactions": 1500, "rounds": 40}
    monkeypatch.setattr(demo, "GROUND", small)
    monkeypatch.setattr(demo, "_ATTACKED", small)
    monkeypatch.setattr(
        demo, "prepare", lambda name, data, chosen, seed, **more: prepare(name, "synthetic", chosen, seed)
    )
    shown = json.loads(ok(["demo", "--out", str(tmp_path), "--json"], capsys))
    assert {run["split"]["kind"] for run in shown["runs"]} == {"random-share"}, "all on the same ground"
    masked = shown["device"]["a curious receiver (AUC, 0.5 is guessing)"]
    assert abs(masked - 0.5) < 0.1 < shown["device"]["the same without masks"] - masked
    assert [r["recipe"] for r in shown["runs"]] == list(demo.RECIPES)
    assert len(shown["items"]) == 10
    assert shown["device"]["updates sent"] > 0
    assert (tmp_path / "report.html").exists()


@pytest.mark.skipif(os.name == "nt", reason="signals are different there")
def test_ctrl_c_leaves_a_state_to_go_on_from(tmp_path: Path) -> None:
    words = [sys.executable, "-c", "from tacit.cli import main; main()", "run", "hegedus/gossip-merge", *TINY]
    words += ["--set", "hours=500000", "--out", str(tmp_path / "run")]
    process = subprocess.Popen(words, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    assert process.stderr is not None
    for line in process.stderr:
        if "started" in line:
            break
    process.send_signal(signal.SIGINT)
    told = process.stderr.read()
    assert process.wait() == 130
    assert "--resume" in told
    assert "Traceback" not in told
    assert (tmp_path / "run" / "state.npz").exists()
