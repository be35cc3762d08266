from __future__ import annotations

import json
from pathlib import Path

import pytest

from tacit.cli.main import call

TINY = ["--data", "synthetic"]
for setting in ("data.users=30", "data.items=40", "data.interactions=400", "rounds=3", "split.n=3"):
    TINY += ["--set", setting]
SWEEP = ["sweep", "baseline/central-mf", "--vary", "model.eta=0.001,0.02", "--vary", "model.k=2,3"]


def test_json_is_the_contracts(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert call([*SWEEP, *TINY, "--json", "--out", str(tmp_path)]) == 0
    told = capsys.readouterr()
    assert told.err == ""
    value = json.loads(told.out)
    assert set(value) == {"runs", "best", "tests"}
    assert len(value["runs"]) == 4
    assert value["best"]["settings"]["model.eta"] == 0.02
    assert value["tests"] == []
    page = (tmp_path / "report.html").read_text()
    assert 'id="sweep"' in page
    assert "--vary model.eta=0.001,0.02 --vary model.k=2,3" in page
    drawn = {path.name for path in (tmp_path / "figures").iterdir()}
    assert {"rmse-over-model.eta-and-model.k.pdf", "rmse-over-hours.svg", "rmse-of-users.png"} <= drawn


def test_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert call([*SWEEP, *TINY, "--random", "2", "--metric", "mae"]) == 0
    told = capsys.readouterr()
    assert "MAE, validation" in told.out
    assert "chosen by validation" in told.out
    assert told.err.count(": done after") == 3  # two tried, one tested


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["sweep", "baseline/central-mf", *TINY], "Missing option '--vary'"),
        (["sweep", "baseline/central-mf", "--vary", "model.k", *TINY], "--vary: got 'model.k'"),
        (["sweep", "baseline/central-mf", "--vary", "data.users=10,20", *TINY], "does not change the data"),
        ([*SWEEP, *TINY, "--seeds", "0"], "--seeds: got 0"),
    ],
)
def test_mistakes_get_one_line(capsys: pytest.CaptureFixture[str], words: list[str], told: str) -> None:
    assert call(words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert told in err
