"""The report as a person sees it: opened in a real Chromium. Skipped, saying so, where there is none."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tacit.experiment.compare import by_arm
from tacit.experiment.significance import paired_tests
from tacit.report.comparison import significance_rows
from tacit.report.page.page import write_report
from tests.browser import browser
from tests.report.factory import make_result

__all__ = ["browser"]
NARROW, WIDE = {"width": 320, "height": 700}, {"width": 1280, "height": 900}


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    runs = [make_result(name, shape=n) for n, name in enumerate(("hegedus/gossip", "hegedus/federated"))]
    path = tmp_path_factory.mktemp("browser") / "report.html"
    return write_report(runs, path, title="Two <ways> & more", command="tacit compare a b")


@pytest.fixture
def page(browser: Any, report: Path) -> Iterator[Any]:
    page = browser.new_page()
    page.asked, page.said = [], []
    page.on("request", lambda request: page.asked.append(request.url))
    page.on("console", lambda message: page.said.append(message.text))
    page.on("pageerror", lambda error: page.said.append(str(error)))
    page.goto(report.as_uri())
    yield page
    page.close()


def test_nothing_is_loaded_from_elsewhere_and_nothing_complains(page: Any, report: Path) -> None:
    assert page.asked == [report.as_uri()]
    assert page.said == []
    assert page.title() == "Two <ways> & more"
    assert page.locator("svg[role=img]").count() >= 4


@pytest.mark.parametrize("size", [NARROW, WIDE], ids=["phone", "desk"])
def test_nothing_sticks_out_sideways(page: Any, size: dict[str, int]) -> None:
    page.set_viewport_size(size)
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    assert page.evaluate("Math.max(...[...document.querySelectorAll('svg')].map(s => s.clientWidth))") > 200


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_stand_out_from_the_page(page: Any, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)
    paper, ink = page.evaluate(
        "[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.querySelector('p')).color]"
    )
    assert contrast(paper, ink) >= 4.5
    assert (luminance(paper) > 0.5) == (scheme == "light")


def test_it_prints(page: Any) -> None:
    page.emulate_media(media="print")
    assert page.pdf(format="A4").startswith(b"%PDF")


def luminance(colour: str) -> float:
    """Relative luminance of `rgb(...)` as WCAG defines it."""
    parts = [float(part) / 255 for part in colour[colour.index("(") + 1 : -1].split(",")[:3]]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("width", [1000, 1100])
def test_no_table_of_a_comparison_is_cut(browser: Any, tmp_path: Path, width: int) -> None:
    names = ("hegedus/gossip-10", "hegedus/federated-10", "baseline/central-mf")
    runs = [make_result(name, seed=seed, shape=n) for n, name in enumerate(names) for seed in range(3)]
    tests = significance_rows(paired_tests(by_arm(runs)), runs)
    path = write_report(runs, tmp_path / "report.html", title="Three", command="tacit compare", tests=tests)
    page = browser.new_page(viewport={"width": width, "height": 900})
    page.goto(path.as_uri())
    hidden = page.evaluate(
        "[...document.querySelectorAll('.scroll')].map(e => e.scrollWidth - e.clientWidth)"
    )
    assert len(hidden) >= 4
    assert max(hidden) == 0
    page.close()
