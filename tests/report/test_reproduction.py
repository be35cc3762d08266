"""The page of a whole paper, from made-up runs: every figure is drawn, and what is not at hand is said."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from tacit.experiment.result import Cost, Result
from tacit.papers.base import Outcomes, Wanted
from tacit.papers.dymbe.paper import paper
from tacit.papers.reproduce import Reproduction
from tacit.report.reproduction import figures_of, write_reproduction


def made_up(w: Wanted, seed: int) -> Result:
    parts = {f"part_{name}": 1.0 for name in ("factors", "user_bias", "item_bias")}
    biases = {f"bias_{kind}:{item}": 0.5 for kind in ("mean", "spread") for item in "12345"}
    curve = [
        {"hours": float(h), "round": float(h), "bytes": 0.0, "rmse": 1.0, "accuracy": 0.5, **parts, **biases}
        for h in range(1, 49)
    ]
    stream = {"image": [500, 1000], "accuracy": [0.5, 0.6]}
    metrics = {"accuracy": 0.5} if w.data == "mnist" else {"rmse": 1.0}
    data = {"name": w.data, "users": 10, "sha256": w.data}
    return Result(
        w.recipe,
        seed,
        dict(w.settings),
        data,
        {},
        metrics,
        curve,
        Cost(),
        pl.DataFrame(),
        more={"stream": stream},
    )


def test_every_figure_of_dymbe_is_drawn_and_missing_data_are_told(tmp_path: Path) -> None:
    everything = {row.wanted for exhibit in paper.exhibits for row in exhibit.rows(False)}
    runs = {w: [] if w.optional else [made_up(w, seed) for seed in range(2)] for w in everything}
    outcomes = Outcomes(False, runs)
    findings = [(claim, claim.check(outcomes)) for claim in paper.claims]
    found = Reproduction(paper, False, list(paper.exhibits), outcomes, findings)
    write_reproduction(found, tmp_path, "tacit reproduce dymbe")
    page = (tmp_path / "report.html").read_text()
    for exhibit in paper.exhibits:
        section = page.partition(f'id="{exhibit.name}"')[2].partition("</section>")[0]
        assert "<svg" in section, exhibit.name
    assert "data not at hand" in page
    assert "<script src" not in page
    assert "http://" not in page.replace("http://www.w3.org", "")
    drawn = {path.name for path in (tmp_path / "figures").iterdir()}
    assert drawn == {f"{name}{kind}" for name in figures_of(found) for kind in (".png", ".svg", ".pdf")}
    assert len(drawn) >= 3 * 8
    tables = {path.stem for path in (tmp_path / "tables").glob("*.tex")}
    assert tables == {exhibit.name for exhibit in paper.exhibits}
    rows = pl.read_csv(tmp_path / "tables" / "mnist.csv")
    assert rows.height == len(next(table for table in found.tables() if table["name"] == "mnist")["rows"])
    assert {"panel", "name", "metric", "paper", "ours", "sd", "seeds", "verdict"} <= set(rows.columns)
    assert "Paper & Ours" in (tmp_path / "tables" / "mnist.tex").read_text()
