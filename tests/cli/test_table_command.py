from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

import tacit
from tacit.cli.main import call

TINY = ["--data", "synthetic", "--json"]
for setting in (
    "data.users=30",
    "data.items=40",
    "data.interactions=400",
    "rounds=3",
    "split=random-n",
    "split.n=3",
):
    TINY += ["--set", setting]
ARMS = ["--arm", "slow=hegedus/federated,model.eta=0.001", "--arm", "fast=hegedus/federated,model.eta=0.1"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run, and a study of two arms with two seeds."""
    out = tmp_path_factory.mktemp("runs")
    assert call(["run", "baseline/popular", *TINY, "--set", "evaluate=full", "--out", str(out / "one")]) == 0
    assert call(["compare", *ARMS, *TINY, "--seeds", "3,8", "--out", str(out / "arms")]) == 0
    return out


def test_json_has_one_row_per_run(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["table", str(folder), "--json"]) == 0
    out, err = capsys.readouterr()
    value = json.loads(out)
    assert err == ""
    assert sorted((run["label"], run["seed"]) for run in value["runs"]) == [
        ("baseline/popular", 0), ("fast", 3), ("fast", 8), ("slow", 3), ("slow", 8),
    ]  # fmt: skip
    slow = next(run for run in value["runs"] if run["label"] == "slow")
    assert slow["settings"] == {"model.eta": 0.001}
    assert set(slow) == {
        "folder", "recipe", "label", "seed", "data", "split", "evaluate", "evaluation", "settings", "metrics", "cost",
    }  # fmt: skip


def test_for_people_for_sheets_and_for_papers(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["table", str(folder / "arms"), str(folder / "one")]) == 0
    shown = capsys.readouterr().out
    assert "slow" in shown
    assert "NDCG@10" in shown
    assert call(["table", str(folder), "--csv"]) == 0
    frame = pl.read_csv(capsys.readouterr().out.encode())
    assert frame.height == 5
    assert {"folder", "recipe", "seed", "rmse", "hr@10", "bytes_sent"} <= set(frame.columns)
    assert call(["table", str(folder / "arms"), "--latex"]) == 0
    latex = capsys.readouterr().out
    assert latex.count(r"\\") == 5
    assert "slow & 3 & " in latex


@pytest.fixture(scope="module")
def ranked(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The same recipe, measured by one list per user and by one list per held-out item."""
    out = tmp_path_factory.mktemp("ranked")
    for kind in ("full", "sampled"):
        words = ["run", "baseline/popular", *TINY, "--set", f"evaluate={kind}", "--out", str(out / kind)]
        assert call([*words, "--set", "evaluate.negatives=10"] if kind == "sampled" else words) == 0
    return {kind: out / kind for kind in ("full", "sampled")}


KINDS = {"full": "one list per user", "sampled": "per held-out item among 10"}


def told(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    capsys.readouterr()
    assert call(["table", *map(str, words)]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("kind", KINDS)
def test_one_kind_of_list_keeps_the_names_of_the_contract_and_says_the_kind(
    kind: str, ranked: dict[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    result = json.loads((ranked[kind] / "result.json").read_text())
    for frame in (pl.read_csv(told(capsys, ranked[kind], "--csv").encode()), tacit.table(ranked[kind]).frame):
        assert frame["hr@10"].to_list() == [result["metrics"]["hr@10"]]
        assert frame["list"].to_list() == [KINDS[kind]]
        assert not [name for name in frame.columns if name.startswith("hr@10,")]
    assert f"NDCG@10, {KINDS[kind]}" in told(capsys, ranked[kind], "--latex")
    assert KINDS[kind].split()[0] in told(capsys, ranked[kind])


def test_two_kinds_of_lists_never_share_a_column(
    ranked: dict[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    both = list(ranked.values())
    values = {
        kind: json.loads((folder / "result.json").read_text())["metrics"] for kind, folder in ranked.items()
    }
    for frame in (pl.read_csv(told(capsys, *both, "--csv").encode()), tacit.table(*both).frame):
        assert sorted(frame["list"]) == sorted(KINDS.values())
        for metric in ("hr@10", "ndcg@10"):
            assert metric not in frame.columns
            for kind, words in KINDS.items():
                found = dict(zip(frame["evaluate"], frame[f"{metric}, {words}"], strict=True))
                assert found == dict.fromkeys(KINDS) | {kind: values[kind][metric]}
    header, *rows = [
        line.removesuffix(r" \\").split(" & ")
        for line in told(capsys, *both, "--latex").splitlines()
        if " & " in line
    ]
    assert header[2:] == [f"NDCG@10, {words}" for words in KINDS.values()]
    assert [[cell == "--" for cell in row[2:]] for row in rows] == [[False, True], [True, False]]
    shown = told(capsys, *both)
    assert shown.count("NDCG@10") == 2
    assert "HR@10" not in shown.replace("NDCG@10", "")


def test_from_python(folder: Path) -> None:
    assert tacit.table(folder).frame.height == 5
    assert tacit.table(folder / "arms", folder / "one").to_latex().startswith("% needs the package booktabs")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["table"], "Missing argument"),
        (["table", "nowhere"], "folder: got nowhere"),
        (["table", ".", "--json", "--csv"], "one of --json, --csv and --latex"),
    ],
)
def test_mistakes_get_one_line(words: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert told in err
