from __future__ import annotations

from pathlib import Path

import pytest

from tacit.core.errors import BadInput
from tacit.experiment import compare, sweep
from tacit.experiment.significance import paired_tests
from tacit.report.figures.image_files import to_svg
from tacit.report.notebook import Comparison, Picture, Result, Sweep, plot
from tests.report.factory import make_result


@pytest.fixture(scope="module")
def result() -> Result:
    return Result.of(make_result(finals={"rmse": 0.94, "mae": 0.75}, users=60))


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    runs = [make_result(name, users=60) for name in ("hegedus/gossip", "hegedus/federated")]
    return Comparison.of(compare.Comparison(runs, paired_tests(compare.by_arm(runs))))


def test_the_figures_stay_those_of_the_run(result: Result) -> None:
    plain = make_result(finals={"rmse": 0.94, "mae": 0.75}, users=60)
    assert result.to_json() == plain.to_json()
    assert result.per_user.equals(plain.per_user)


def test_lines_and_tables_say_of_which_lists_metrics_are() -> None:
    finals = {"hr@20": 0.5, "f1@20": 0.2}
    sampled = [make_result(name, finals=finals, users=60, evaluate="sampled") for name in ("a/b", "c/d")]
    among, together = "per held-out item among 100", "per user, held-out items together among 100"
    found = Comparison.of(compare.Comparison(sampled, []))
    assert found.table().filter(arm="a/b").select("metric", "list").rows() == [
        ("hr@20", among),
        ("f1@20", together),
    ]
    assert found.to_csv().splitlines()[0].endswith(",list")
    assert f"best hr@20 0.5000 ({among}) by " in repr(found)
    assert f": hr@20 0.5000 ({among}), f1@20 0.2000 ({together}); " in repr(Result.of(sampled[0]))
    mixed = [sampled[0], make_result("e/f", finals={"hr@20": 0.5}, users=60, evaluate="full")]
    kinds = Comparison.of(compare.Comparison(mixed, [])).table().select("arm", "metric", "list").rows()
    assert ("a/b", f"hr@20, {among}", among) in kinds
    assert ("e/f", "hr@20, one list per user", "one list per user") in kinds
    tried = sweep.Tried({"model.k": 2}, sampled[:1], 0.5, None)
    swept = Sweep.of(sweep.Sweep("a/b", "hr@20", [tried], tried, sampled[:1]))
    assert f"hr@20 0.5000 ({among}) on the test part>" in repr(swept)


def test_a_picture_is_saved_as_its_name_says(result: Result, tmp_path: Path) -> None:
    starts = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}
    for ending, first in starts.items():
        path = result.plot_curve("mae", over="bytes").save(tmp_path / f"curve.{ending}")
        assert path.read_bytes().startswith(first)
    with pytest.raises(BadInput, match=r"curve.gif; allowed: a name that ends in .png"):
        result.plot_cdf().save(tmp_path / "curve.gif")
    for ending in starts:
        with pytest.raises(
            BadInput, match=r"picture: got .*; allowed: a path in a folder that can be written"
        ):
            result.plot_cdf().save(tmp_path / "nowhere" / f"curve.{ending}")


def test_the_axis_is_chosen_by_what_moves(result: Result) -> None:
    still = [{**point, "hours": 0.0} for point in result.curve]
    moved = Result.of(make_result(users=60))
    assert "over hours" in moved.plot_curve().label
    moved.curve[:] = still
    assert "over rounds" in moved.plot_curve("rmse").label


def test_results_of_several_runs_are_drawn_in_one_picture(result: Result, comparison: Comparison) -> None:
    other = Result.of(make_result("hegedus/federated", users=60))
    svg = to_svg(plot([result, other], "rmse", labels=["gossip", "with a server"], ylabel="Error").figure)
    for words in (">gossip<", ">with a server<", ">Error<", ">Virtual hours<"):
        assert words in svg
    assert "hegedus" not in svg
    assert len(plot([result, comparison], kind="cdf").figure.legends[0].get_texts()) == 3
    seeds = [Result.of(make_result(seed=seed, users=60)) for seed in range(3)]
    assert plot(seeds, labels=["one line"]).figure.axes[0].collections, "three seeds are a mean with a band"
    assert plot(seeds, labels=["a", "a", "b"]).figure.legends[0].get_texts()[1].get_text() == "b"
    with pytest.raises(BadInput, match="labels: got 2; allowed: one for each of 1 lines"):
        plot(seeds, labels=["a", "b"])
    with pytest.raises(BadInput, match="at least one"):
        plot([])
    with pytest.raises(BadInput, match="kind: got pie"):
        plot(seeds, kind="pie")  # type: ignore[arg-type]


def test_labels_can_be_set_by_name(comparison: Comparison) -> None:
    svg = to_svg(comparison.plot_curve(labels={"hegedus/gossip": "gossip"}, xlabel="Hours").figure)
    for words in (">gossip<", ">hegedus/federated<", ">Hours<"):
        assert words in svg
    with pytest.raises(BadInput, match="labels: got hegedus/gosip; did you mean hegedus/gossip"):
        comparison.plot_cdf(labels={"hegedus/gosip": "x"})


def test_tables_for_papers(comparison: Comparison) -> None:
    latex = comparison.to_latex(["rmse"])
    assert r"Recipe & RMSE $\downarrow$ \\" in latex
    assert latex.count(r"\textbf{0.9432}") == 1
    with pytest.raises(BadInput, match="metric: got hr@3"):
        comparison.to_latex(["hr@3"])
    assert comparison.to_csv().splitlines()[0] == "arm,metric,mean,sd,best,level,list"


def test_wrong_words_are_told(result: Result) -> None:
    with pytest.raises(BadInput, match=r"metric.*got recall"):
        result.plot_cdf("recall")
    with pytest.raises(BadInput, match=r"over.*got days"):
        result.plot_curve(over="days")  # type: ignore[arg-type]


def test_a_notebook_shows_words_and_a_picture(result: Result, comparison: Comparison) -> None:
    page = result._repr_html_()
    assert "hegedus/gossip-merge" in page
    assert "<svg" in page
    both = comparison._repr_html_()
    assert "hegedus/federated" in both
    assert "<svg" in both
    assert "<svg" in comparison.plot_communication()._repr_html_()


def test_a_sweep_draws_what_varied() -> None:
    runs = [make_result(users=60, finals={"rmse": value}) for value in (0.95, 0.94)]
    tried = [
        sweep.Tried({"model.k": k}, [run], run.metrics["rmse"], None)
        for k, run in zip((2, 5), runs, strict=True)
    ]
    found = Sweep.of(sweep.Sweep("hegedus/gossip", "rmse", tried, tried[1], runs[1:]))
    assert isinstance(found.plot(), Picture)
    assert "model.k" in found._repr_html_()
    alone = Sweep.of(sweep.Sweep("hegedus/gossip", "rmse", tried[1:], tried[1], runs[1:]))
    with pytest.raises(BadInput, match="one or two"):
        alone.plot()
