from __future__ import annotations

import json
from pathlib import Path

import pytest

from tacit.cli.main import call

TINY = ["--data", "synthetic"]
for setting in ("data.users=30", "data.items=40", "data.interactions=400", "rounds=3", "split.n=3"):
    TINY += ["--set", setting]
TWO = ["compare", "hegedus/federated", "baseline/central-mf"]
RUN_KEYS = {"tacit", "recipe", "seed", "parameters", "data", "split", "metrics", "curve", "cost"}
RUN_KEYS |= {"evaluation", "notes"}
TEST_KEYS = {
    "metric",
    "a",
    "b",
    "mean_difference",
    "low",
    "high",
    "effect_size",
    "users",
    "t_p",
    "wilcoxon_p",
    "t_p_holm",
    "wilcoxon_p_holm",
    "significant",
}


def test_json_is_the_contracts(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert call([*TWO, *TINY, "--seeds", "2", "--json", "--out", str(tmp_path)]) == 0
    told = capsys.readouterr()
    value = json.loads(told.out)
    assert told.err == ""
    assert set(value) == {"runs", "tests"}
    assert [(run["recipe"], run["seed"]) for run in value["runs"]] == [
        ("hegedus/federated", 0),
        ("hegedus/federated", 1),
        ("baseline/central-mf", 0),
        ("baseline/central-mf", 1),
    ]
    assert all(set(run) == RUN_KEYS for run in value["runs"])
    assert all(set(test) == TEST_KEYS for test in value["tests"])
    assert json.loads((tmp_path / "result.json").read_text()) == value
    page = (tmp_path / "report.html").read_text()
    assert "Paired tests" in page
    assert 'id="comparison"' in page
    assert "tacit compare hegedus/federated baseline/central-mf --data synthetic" in page


def test_for_people_and_again(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert call([*TWO, *TINY, "--out", str(tmp_path)]) == 0
    first = capsys.readouterr()
    assert "hegedus/federated" in first.out
    assert "* best; = not significantly worse" in first.out
    assert call([*TWO, *TINY, "--out", str(tmp_path)]) == 0
    again = capsys.readouterr()
    assert again.out == first.out
    assert again.err.count("finished before") == 2


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["compare"], "Missing argument"),
        (["compare", "nobody/nothing", *TINY], "recipe: got nobody/nothing"),
        ([*TWO, *TINY, "--set", "epohcs=2"], "did you mean epochs?"),
        ([*TWO, *TINY, "--seeds", "0"], "--seeds: got 0"),
        ([*TWO, "--data", "nowhere.csv"], "nowhere.csv"),
    ],
)
def test_mistakes_get_one_line(capsys: pytest.CaptureFixture[str], words: list[str], told: str) -> None:
    assert call(words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert told in err
