import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure

from tacit.report.figures.curves import Over, figure_cdf, figure_communication, figure_curve, has_curve
from tacit.report.figures.curves import _cdf as cdf
from tacit.report.figures.image_files import to_svg
from tests.report.factory import make_result, rating_runs


def _lines(figure: Figure) -> list[tuple[float, float]]:
    """Last point of each drawn line with more than two points."""
    return [
        (float(line.get_xdata()[-1]), float(line.get_ydata()[-1]))  # type: ignore[index, arg-type]
        for line in figure.axes[0].lines
        if len(line.get_xdata()) > 2  # type: ignore[arg-type]
    ]


@pytest.mark.parametrize(("over", "end"), [("hours", 48.0), ("rounds", 300.0), ("bytes", 12.4)])
def test_curves_end_where_the_run_ended(over: Over, end: float) -> None:
    ((x, y),) = _lines(figure_curve([make_result()], "rmse", over))
    assert x == pytest.approx(end, rel=1e-6)
    assert y == 0.9432


def test_a_run_that_sent_nothing_is_a_level_line_over_bytes() -> None:
    figure = figure_curve(rating_runs(), "rmse", "bytes")
    assert len(_lines(figure)) == 2
    assert any(list(line.get_ydata()) == [0.9207, 0.9207] for line in figure.axes[0].lines)  # type: ignore[arg-type]


def test_left_out_early_values_are_admitted_in_the_figure() -> None:
    assert "early values up to 2.80 not shown" in to_svg(figure_curve([make_result()], "rmse"))
    assert "not shown" not in to_svg(figure_curve([make_result(finals={"hr@20": 0.6})], "hr@20"))


def test_legend_names_every_run_with_its_final_value() -> None:
    svg = to_svg(figure_curve(rating_runs(), "rmse"))
    assert "hegedus/federated  0.9389" in svg
    assert "hegedus/federated" not in to_svg(figure_curve(rating_runs(), "rmse", legend=False))


def test_seeds_share_a_colour() -> None:
    runs = [make_result(seed=s) for s in (0, 1)] + [make_result("a/b")]
    lines = figure_curve(runs, "rmse").axes[0].lines
    colours = [line.get_color() for line in lines if len(line.get_xdata()) > 2]  # type: ignore[arg-type]
    assert colours[0] == colours[1] != colours[2]


def test_empty_curves_and_bad_points_do_no_harm() -> None:
    bare = make_result(points=0)
    assert not has_curve([bare], "rmse")
    assert "no curve was recorded" in to_svg(figure_curve([bare], "rmse"))
    holes = make_result(points=5)
    holes.curve[2]["rmse"] = float("nan")
    svg = to_svg(figure_curve([holes], "rmse"))
    assert "nan" not in svg.lower()


@given(st.lists(st.floats(0, 10), min_size=1, max_size=2000))
@settings(max_examples=50, deadline=None)
def test_cdf_rises_from_none_to_all_users_and_is_thinned(values: list[float]) -> None:
    x, share = cdf(np.sort(np.array(values)))
    assert len(x) <= 300
    assert share[0] == 0
    assert share[-1] == 1
    assert (np.diff(x) >= 0).all()
    assert (np.diff(share) >= 0).all()
    for value, part in zip(x[1:], share[1:], strict=True):
        assert part == np.mean(np.array(values) <= value)


def test_cdf_without_values_is_an_empty_picture() -> None:
    assert len(_lines(figure_cdf([make_result(without_test=943)], "rmse"))) == 0


def test_bars_say_how_much_was_sent() -> None:
    svg = to_svg(figure_communication(rating_runs()))
    for words in ("12.4 MB", "20.1 MB", "0 MB", "baseline/central-mf"):
        assert words in svg
