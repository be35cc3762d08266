from __future__ import annotations

from io import StringIO

from matplotlib.figure import Figure
from rich.console import Console

from tacit.core.settings import Value
from tacit.experiment.sweep import Sweep, Tried
from tacit.report.figures.image_files import to_svg
from tacit.report.sweep import figure_sweep, sweep_section, sweep_table
from tests.report.factory import make_result


def made(settings: list[dict[str, Value]], metric: str = "rmse") -> Sweep:
    tried = [Tried(setting, [], 1.0 + place / 100, 0.01) for place, setting in enumerate(settings)]
    tried.append(Tried(dict.fromkeys(settings[0], "none"), [], None, None))
    return Sweep("a/b", metric, tried, tried[0], [make_result(seed=seed) for seed in (0, 1)])


def words_of(figure: Figure | None) -> str:
    assert figure is not None
    return to_svg(figure, "words")


def test_one_key_makes_a_curve_two_a_heat_map_three_nothing() -> None:
    one = made([{"model.eta": eta} for eta in (0.001, 0.01, 0.1)])
    assert "model.eta" in words_of(figure_sweep(one))
    two: list[dict[str, Value]] = [{"model.k": k, "merge": m} for k in (2, 4) for m in ("none", "x<y")]
    picture = words_of(figure_sweep(made(two)))
    for words in ("model.k", "merge", "1.000", "1.030", "x&lt;y"):
        assert words in picture
    three: list[dict[str, Value]] = [{"a": a, "b": b, "c": 1 - a} for a in (0, 1) for b in (0, 1)]
    assert figure_sweep(made(three)) is None


def test_words_on_the_axis() -> None:
    assert "keep-oldest" in words_of(figure_sweep(made([{"merge": "none"}, {"merge": "keep-oldest"}])))


def test_the_table_shows_the_chosen_one_and_its_test_figure() -> None:
    console = Console(width=80, record=True, file=StringIO())
    console.print(sweep_table(made([{"model.k": k} for k in range(20)])))
    text = console.export_text()
    assert "1.0000 ± 0.0100*" in text
    assert "9 more in the report" in " ".join(text.split())
    assert "RMSE 0.9432 ± 0.0000" in " ".join(text.split())


def test_the_section_escapes_and_ranks() -> None:
    section = sweep_section(made([{"merge": "<b>"}, {"merge": "y"}], metric="hr@10"))
    assert "<b>" not in section
    assert "&lt;b&gt;" in section
    assert section.index("1.0100") < section.index("1.0000")
