import math
import re
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from tacit.core.errors import BadInput
from tacit.experiment.result import Result
from tacit.report.machine import this_machine
from tacit.report.page.page import Recommendations, report_page, write_report
from tests.report.factory import make_result, ranking_runs, rating_runs

EVIL = '<script>alert("x")</script>&\'$title'
RECOMMENDED = Recommendations(
    "196", [{"title": "Fargo (1996)", "score": 4.81, "because": ["Kolya (1996)"]}], ["Kolya (1996)"], "a/b"
)
DEVICE = {"user": "196", "messages": 300, "left": ["item rows"], "stayed": ["29 ratings"]}


class Checker(HTMLParser):
    """Collects tags and fails on any that is not closed where it should be."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(dict(attrs)) == len(attrs), f"attribute twice in {tag}"
        self.seen.append((tag, dict(attrs)))
        if tag not in ("meta", "wbr"):  # elements that have no end
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def _page(results: list[Result], **more: Any) -> str:
    return report_page(results, **({"title": "Title", "command": "tacit demo"} | more))


def _check(page: str) -> Checker:
    checker = Checker()
    checker.feed(page)
    checker.close()
    assert checker.open == []
    return checker


PAGES = {
    "single": lambda: [make_result()],
    "several": rating_runs,
    "ranking": ranking_runs,
    "seeds": lambda: [make_result(seed=s) for s in range(3)],
    "no curve": lambda: [make_result(points=0), make_result("a/b", points=1)],
    "no test part": lambda: [make_result(without_test=943)],
    "nothing": lambda: [make_result(finals={}, points=0, megabytes=0.0)],
    "not a number": lambda: [make_result(finals={"rmse": math.nan}), make_result("a/b")],
}


@cache
def _made(name: str) -> str:
    return _page(PAGES[name]())


@pytest.fixture(params=PAGES)
def page(request: pytest.FixtureRequest) -> str:
    return _made(request.param)


def test_every_page_is_well_formed_and_names_its_parts(page: str) -> None:
    seen = _check(page).seen
    assert [tag for tag, _ in seen].count("h1") == 1
    ids = [str(attributes["id"]) for _, attributes in seen if "id" in attributes]
    assert len(ids) == len(set(ids))
    links = {str(attributes["href"])[1:] for tag, attributes in seen if tag == "a"}
    assert links <= set(ids)
    expected = {
        "summary",
        "results",
        "curves",
        "users",
        "communication",
        "data",
        "parameters",
        "machine",
        "again",
    }
    assert links == expected
    assert all("scope" in attributes for tag, attributes in seen if tag == "th")
    drawings = [attributes for tag, attributes in seen if tag == "svg"]
    assert all("aria-label" in drawing or drawing.get("aria-hidden") for drawing in drawings)
    tags = [tag for tag, _ in seen]
    assert tags.count("figure") == tags.count("figcaption")


def test_every_page_stands_alone(page: str) -> None:
    assert "<script" not in page
    assert "@import" not in page
    outside = re.sub(r'xmlns="http://www\.w3\.org/2000/svg"', "", page)
    assert "http://" not in outside
    assert "https://" not in outside
    assert not re.search(r'(?:src|srcset|data)="', page)
    assert all(target.startswith("#") for target in re.findall(r"(?:url\(|href=\")([^)\"]+)", page))


def test_no_page_shows_a_number_that_is_none(page: str) -> None:
    assert not re.search(r"\b(nan|NaN|inf|None|null)\b", page)


def test_whatever_comes_from_outside_is_escaped() -> None:
    result = replace(
        make_result(EVIL + "/x", notes=[EVIL], points=0),
        data={"name": EVIL, "users": 943, "sha256": EVIL * 3},
        parameters={EVIL: EVIL, "list": [EVIL]},
    )
    page = _page(
        [result, make_result(points=0)],
        title=EVIL,
        command=EVIL,
        recommendations=Recommendations(EVIL, [{"title": EVIL, "because": EVIL}], [EVIL], EVIL),
        device={EVIL: EVIL, "left": [EVIL], "stayed": [EVIL]},
        machine={EVIL: EVIL},
        tests=[{EVIL: EVIL}],
    )
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    _check(page)


def test_the_numbers_are_there() -> None:
    page = _made("several")
    for words in ("0.9207", "0.9389", "20.1", "282,900", "movielens-100k", "100,000", "b05f4f0e5a", "p95"):
        assert words in page
    assert re.search(r"best</span> 0\.9207</strong>", page)


def test_paper_negatives_open_the_summary() -> None:
    page = _made("ranking")
    assert page.index("negatives=paper in pepper/fedavg") < page.index('class="lead"')


def test_optional_parts_come_when_given() -> None:
    bare = _page([make_result(points=0)])
    assert 'id="device"' not in bare
    assert 'id="recommendations"' not in bare
    assert 'id="notes"' not in bare
    tests = [{"metric": "rmse", "a": "x", "b": "y", "p": 0.0312}]
    noted = make_result(points=0, notes=["17 users left out."])
    more = {"recommendations": RECOMMENDED, "device": DEVICE, "machine": this_machine(), "tests": tests}
    full = _page([noted], **more)
    for words in ("Fargo (1996)", "4.81", "because of Kolya (1996)", "Liked before", "Left the device",
                  "Never left the device", "29 ratings", "17 users left out.", "0.0312"):  # fmt: skip
        assert words in full
    _check(full)


def test_parameters_that_differ_come_first() -> None:
    page = _page([make_result(points=0, **{"model.k": k}) for k in (5, 10)])
    part = page[page.index('id="parameters"') :]
    assert part.index(">model.k<") < part.index("<details>") < part.index(">model.rate<")


def test_the_command_is_shown_as_given() -> None:
    page = _page([make_result(points=0)], command="tacit run a/b --set x=1")
    assert "<pre><code>tacit run a/b --set x=1</code></pre>" in page


def test_written_whole_and_the_same_every_time(tmp_path: Path) -> None:
    path = write_report(
        rating_runs(), tmp_path / "new folder" / "report.html", title="Title", command="tacit demo"
    )
    assert path.read_text(encoding="utf-8") == _made("several")
    assert [entry.name for entry in path.parent.iterdir()] == ["report.html"]


def test_stays_small_with_many_users_and_runs() -> None:
    assert len(_made("several")) < 400_000


def test_a_failure_leaves_the_old_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = write_report([make_result(points=0)], tmp_path / "report.html", title="T", command="c")
    before = target.read_bytes()

    def full(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="disk full"):
        write_report([make_result(points=0)], target, title="T", command="c")
    assert target.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]


def test_no_results_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="report: got no results; allowed: at least one"):
        write_report([], tmp_path / "report.html", title="T", command="c")
