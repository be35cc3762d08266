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
        (
            ["compare"],
            "recipes: got none; allowed: names of recipes, or --arm LABEL=RECIPE (tacit compare --help)",
        ),
        (["compare", "nobody/nothing", *TINY], "recipe: got nobody/nothing"),
        ([*TWO, *TINY, "--set", "epohcs=2"], "did you mean epochs?"),
        ([*TWO, *TINY, "--seeds", "0"], "--seeds: got 0"),
        (
            [*TWO, *TINY, "--seeds", "1,x"],
            "--seeds: got 1,x; allowed: a whole number from 1, or several seeds",
        ),
        ([*TWO, *TINY, "--seeds", "2,2"], "--seeds: got 2,2"),
        ([*TWO, *TINY, "--arm", "hegedus/gossip"], "LABEL=RECIPE,KEY=VALUE"),
        ([*TWO, *TINY, "--arm", "a=hegedus/gossip,split.n=3"], "arm a: got split.n"),
        (
            ["compare", "hegedus/federated", "hegedus/federated", *TINY],
            "settings and a label (--arm) of its own",
        ),
        ([*TWO, *TINY, "--threads", "0"], "--threads"),
        ([*TWO, "--data", "nowhere.csv"], "nowhere.csv"),
    ],
)
def test_mistakes_get_one_line(capsys: pytest.CaptureFixture[str], words: list[str], told: str) -> None:
    assert call(words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert told in err


def test_arms_of_one_recipe_with_tables_and_figures(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    arms = [
        "--arm",
        "eta 0.01=hegedus/federated,model.eta=0.01",
        "--arm",
        "eta 0.1=hegedus/federated,model.eta=0.1",
    ]
    words = ["compare", "baseline/central-mf", *arms, *TINY, "--seeds", "3,8", "--threads", "1"]
    assert call([*words, "--out", str(tmp_path), "--json"]) == 0
    value = json.loads(capsys.readouterr().out)
    assert [(run.get("label"), run["seed"]) for run in value["runs"]] == [
        (None, 3), (None, 8), ("eta 0.01", 3), ("eta 0.01", 8), ("eta 0.1", 3), ("eta 0.1", 8),
    ]  # fmt: skip
    assert len({json.dumps(run["split"]) for run in value["runs"] if run["seed"] == 3}) == 1
    assert {("eta 0.01", "eta 0.1")} <= {(test["a"], test["b"]) for test in value["tests"]}
    assert "eta 0.01 &" in (tmp_path / "table.tex").read_text()
    assert (tmp_path / "table.csv").read_text().startswith("arm,metric,mean,sd,best,level,list\n")
    kinds = {path.suffix for path in (tmp_path / "figures").iterdir()}
    assert kinds == {".png", ".svg", ".pdf"}
    page = (tmp_path / "report.html").read_text()
    assert "--arm &#39;eta 0.01=hegedus/federated,model.eta=0.01&#39;" in page
    assert "--seeds 3,8" in page
    assert "Mean over 2 seeds; shaded: one standard deviation." in page
