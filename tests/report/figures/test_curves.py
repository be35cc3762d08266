import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from tacit.report.figures.curves import (
    Over,
    figure_cdf,
    figure_communication,
    figure_curve,
    has_curve,
    study_figures,
)
from tacit.report.figures.curves import _cdf as cdf
from tacit.report.figures.image_files import to_svg
from tacit.report.run_groups import per_user
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


def test_legend_names_every_run_and_no_value() -> None:
    svg = to_svg(figure_curve(rating_runs(), "rmse"))
    assert "hegedus/federated" in svg
    assert "0.9389" not in svg
    assert "hegedus/federated" not in to_svg(figure_curve(rating_runs(), "rmse", legend=False))


def test_seeds_are_one_line_their_mean_with_a_band_of_one_standard_deviation() -> None:
    finals = [0.9, 1.0, 1.2]
    runs = [make_result(seed=s, finals={"rmse": final}) for s, final in enumerate(finals)]
    axes = figure_curve([*runs, make_result("a/b")], "rmse").axes[0]
    lines = [line for line in axes.lines if len(line.get_xdata()) > 2]  # type: ignore[arg-type]
    assert len(lines) == 2
    assert float(lines[0].get_ydata()[-1]) == pytest.approx(np.mean(finals))  # type: ignore[index, arg-type]
    (band,) = axes.collections
    edge = band.get_paths()[0].vertices
    at_end = edge[edge[:, 0] == edge[:, 0].max(), 1]  # type: ignore[call-overload, index]
    sd = np.std(finals, ddof=1)
    assert (at_end.min(), at_end.max()) == pytest.approx((np.mean(finals) - sd, np.mean(finals) + sd))


def test_seeds_that_ran_for_different_times_are_averaged_where_all_have_values() -> None:
    short, long = make_result(points=50), make_result(seed=1, points=150)
    short.curve[:] = [{**point, "hours": point["hours"] / 2} for point in short.curve]
    ((x, _),) = _lines(figure_curve([short, long], "rmse"))
    assert x == 24.0


def test_lines_differ_without_colour_too() -> None:
    runs = [make_result(f"a/{n}") for n in range(6)]
    lines = [line for line in figure_curve(runs, "rmse").axes[0].lines if len(line.get_xdata()) > 2]  # type: ignore[arg-type]
    assert len({(str(line.get_linestyle()), line.get_marker()) for line in lines}) == 6
    assert len({line.get_marker() for line in lines}) == 6


def test_the_final_value_of_a_lone_curve_stands_where_no_line_is() -> None:
    axes = figure_curve([make_result()], "rmse").axes[0]
    (end,) = [text for text in axes.texts if text.get_text() == "0.9432"]
    assert end.xy[0] == 48.0  # type: ignore[attr-defined]
    assert end.get_ha() == "left"


def test_a_distribution_of_several_seeds_is_their_mean() -> None:
    runs = [make_result(seed=seed) for seed in range(3)]
    axes = figure_cdf(runs, "rmse").axes[0]
    (line,) = [line for line in axes.lines if len(line.get_xdata()) > 2]  # type: ignore[arg-type]
    x, y = np.asarray(line.get_xdata()), np.asarray(line.get_ydata())
    middle = len(x) // 2
    shares = [np.mean(per_user(run, "rmse") <= x[middle]) for run in runs]
    assert y[middle] == pytest.approx(100 * np.mean(shares))
    assert len(axes.collections) == 1


def test_the_figures_of_a_study_have_names_for_files() -> None:
    assert list(study_figures(rating_runs())) == [
        "rmse-over-hours", "rmse-over-rounds", "rmse-over-bytes", "rmse-of-users",
    ]  # fmt: skip


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


def test_a_long_legend_takes_nothing_from_the_axes_and_stays_inside() -> None:
    few = figure_curve([make_result(f"a/{n}") for n in range(3)], "rmse")
    many = figure_curve([make_result(f"a/{'long ' * 10}{n}") for n in range(12)], "rmse")
    heights = []
    for figure in (few, many):
        FigureCanvasAgg(figure).draw()
        heights.append(figure.axes[0].get_position().height * figure.get_figheight())
        legend = figure.legends[0].get_window_extent()
        assert legend.x1 <= figure.bbox.x1
    assert heights[1] >= 0.9 * heights[0]
