"""Charts as files and figures: what is drawn is what the numbers say."""

from __future__ import annotations

from pathlib import Path

import pytest

from tacit.papers.base import Chart, Series
from tacit.report.figures.image_files import save_all, to_svg
from tacit.report.figures.paper_figures import figure_chart

TWO = (Series("one", [(0.0, 1.0), (1.0, 3.0)], end=True), Series("two", [(0.0, 2.0)]))


def test_lines_have_names_labels_and_a_front() -> None:
    chart = Chart("c", "Title", "pi", "P@10", TWO, "points", front=[(0.0, 3.0), (1.0, 2.0)])
    axes = figure_chart(chart).axes[0]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("pi", "P@10")
    drawn = {line.get_label(): line.get_xydata().tolist() for line in axes.get_lines()}  # type: ignore[union-attr]
    assert drawn["one"] == [[0, 1], [1, 3]]
    assert "Pareto front" in drawn
    assert "Pareto front" in to_svg(figure_chart(chart))


def test_bars_stand_beside_each_other_in_their_category() -> None:
    series = [Series("a", [(0.0, -1.0), (1.0, 2.0)]), Series("b", [(1.0, 0.5)])]
    axes = figure_chart(Chart("c", "t", "", "BD", series, "bars", categories=("Food", "Shop"))).axes[0]
    bars = [(bar.get_x(), bar.get_width(), bar.get_height()) for bar in axes.patches]  # type: ignore[attr-defined]
    assert [height for *_, height in bars] == [-1.0, 2.0, 0.5]
    assert bars[1][0] + bars[1][1] == pytest.approx(bars[2][0])
    assert [label.get_text() for label in axes.get_xticklabels()] == ["Food", "Shop"]
    assert axes.patches[0].get_hatch() != axes.patches[2].get_hatch(), "told apart in grey print"


def test_logarithmic_axes_and_files(tmp_path: Path) -> None:
    chart = Chart("many", "t", "x", "y", [Series("s", [(1.0, 0.1), (100.0, 0.001)])], log=True)
    assert figure_chart(chart).axes[0].get_yscale() == "log"
    paths = save_all({chart.name: figure_chart(chart)}, tmp_path / "figures")
    assert [path.name for path in paths] == ["many.png", "many.svg", "many.pdf"]
    assert paths[0].read_bytes().startswith(b"\x89PNG")
    assert save_all({}, tmp_path / "none") == []
    assert not (tmp_path / "none").exists()
