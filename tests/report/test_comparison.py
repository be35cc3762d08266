from __future__ import annotations

from io import StringIO

from rich.console import Console

from tacit.experiment.compare import Comparison, by_arm
from tacit.experiment.significance import paired_tests
from tacit.report.comparison import comparison_section, comparison_table, significance_rows
from tests.report.factory import make_result, rating_runs


def _comparison() -> Comparison:
    runs = rating_runs()
    seeds = [make_result(r.recipe, finals=dict(r.metrics), seed=1, shape=i) for i, r in enumerate(runs)]
    return Comparison(runs + seeds, paired_tests(by_arm(runs + seeds)))


def test_the_table_fits_80_columns_and_marks_the_best() -> None:
    console = Console(width=80, record=True, file=StringIO())
    console.print(comparison_table(_comparison()))
    text = console.export_text()
    assert "0.9207 ±0.0000*" in text
    best = next(line for line in text.splitlines() if line.startswith("baseline/central-mf"))
    assert "*" in best
    assert "mean over 2 seeds" in text


def test_the_longest_recipe_names_stay_whole() -> None:
    names = ("baseline/popular", "dymbe/mnist-weighted-majority", "dymbe/shared-data-clusters")
    runs = [make_result(n, finals={"rmse": 0.9, "mae": 0.7}, seed=s) for n in names for s in (0, 1)]
    console = Console(width=80, record=True, file=StringIO())
    console.print(comparison_table(Comparison(runs, paired_tests(by_arm(runs)))))
    lines = console.export_text().splitlines()
    for name in names:
        (line,) = [line for line in lines if name in line]
        assert line.split()[1] == "0.9000"
        assert line.split()[2] in ("±0.0000*", "±0.0000=")
        assert line.split()[-2:] == ["4.80", "s"]


def test_the_section_escapes_names_and_shows_every_metric() -> None:
    evil = make_result("<b>evil</b>")
    section = comparison_section(Comparison([evil], []))
    assert "<b>evil" not in section
    assert "&lt;b&gt;evil" in section
    assert "RMSE" in section


def test_tests_for_people() -> None:
    rows = significance_rows(_comparison().tests, _comparison().results)
    assert len(rows) == 6
    assert rows[0]["Metric"] == "RMSE"
    assert {"A minus B", "95 % interval", "Effect size"} <= set(rows[0])
    assert rows[0]["A"] == "hegedus/gossip-merge"
    assert all(row["t: p"] == "< 0.0001" or 0 <= float(row["t: p"]) <= 1 for row in rows)
