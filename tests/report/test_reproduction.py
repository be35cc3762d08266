"""The page of a whole paper, from made-up runs: every figure is drawn, and what is not at hand is said."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import polars as pl
import pytest
from rich.console import Console

from tacit.data.sources.locate import at_hand
from tacit.experiment.result import Cost, Result
from tacit.papers.base import Outcomes, Wanted
from tacit.papers.dymbe.paper import paper
from tacit.papers.pepper.paper import paper as pepper
from tacit.papers.reproduce import Reproduction, paper_named
from tacit.report.reproduction import _rows_table, figures_of, print_reproduction, write_reproduction

EXAMPLE = {"aggregated": [0.1] * 10, "mean": [0.1] * 10}


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
        more={"stream": stream, "aggregate": {"apart": 0.1, "examples": [EXAMPLE]}},
    )


def test_a_row_shows_the_tolerance_and_the_table_its_kind_of_lists() -> None:
    row = {
        "panel": "ML", "name": "PEPPER", "metric": "hr@20", "paper": 0.5, "ours": 0.52, "seeds": 1, "sd": None,
        "ratio": False, "difference": 0.02, "verdict": "agrees", "tolerance": 0.1,
        "list": "per held-out item among 100",
    }  # fmt: skip
    console = Console(width=80, record=True, file=StringIO())
    console.print(_rows_table({"title": "Table 4", "rows": [row]}))
    text = console.export_text()
    (line,) = [line for line in text.splitlines() if "PEPPER" in line]
    assert line.split() == ["PEPPER", "HR@20", "0.5000", "0.5200", "+4", "%", "agrees", "(±", "10", "%)"]
    assert "HR@20: per held-out item among 100" in text


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
        if exhibit.name != "ratings" or at_hand("movielens-100k"):
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


def spread_over_users(w: Wanted) -> Result:
    values = [0.1, 0.5, 0.9]
    cuts = [f"{metric}@{k}" for metric in ("hr", "ndcg", "f1") for k in (5, 10, 20)]
    columns = (*cuts, "rounds_to_convergence", "network_rounds", "seconds", "seconds_to_convergence")
    each = pl.DataFrame({"user": ["a", "b", "c"], **dict.fromkeys(columns, values)})
    data = {"name": w.data, "users": 3, "sha256": w.data}
    return Result(w.recipe, 0, dict(w.settings), data, {}, dict.fromkeys(cuts, 0.5), [], Cost(), each)


def test_distributions_of_pepper_are_drawn_for_every_metric_of_a_figure(tmp_path: Path) -> None:
    """Figures 4b, 5b, 9a and 10 to 15, too: each panel has a drawing for each of the figure's two metrics."""
    chosen = [e for e in pepper.exhibits if e.name in ("figure-4", "figure-9", "figure-14")]
    everything = {row.wanted for exhibit in chosen for row in exhibit.rows(True)}
    outcomes = Outcomes(True, {w: [spread_over_users(w)] for w in everything})
    found = Reproduction(pepper, True, chosen, outcomes, [])
    write_reproduction(found, tmp_path, "tacit reproduce pepper")
    page = (tmp_path / "report.html").read_text()
    panels = {"figure-4": 2, "figure-9": 1, "figure-14": 1}
    for name, count in panels.items():
        section = page.partition(f'id="{name}"')[2].partition("</section>")[0]
        assert section.count('role="img"') == 2 * count, name
    assert "NDCG@20 of a user" in page
    assert "seconds until convergence of a user (further left is better)" in page


def test_the_tolerance_stands_in_the_row(capsys: pytest.CaptureFixture[str]) -> None:
    hegedus = paper_named("hegedus")
    (table,) = (e for e in hegedus.exhibits if e.name == "figure-2")
    found = Reproduction(hegedus, True, [table], Outcomes(True, {}), [])
    print_reproduction(Console(width=120), found)
    told = capsys.readouterr().out
    assert "81.3680" in told
    assert told.count("agrees (± 5 %)") == 2
