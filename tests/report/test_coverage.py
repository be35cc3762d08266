"""What is covered: nothing of a paper is forgotten, and the page is what the papers say."""

from __future__ import annotations

import pytest

from tacit.papers.item_names import exhibit_named
from tacit.papers.reproduce import paper_named, papers
from tacit.papers.verdicts import recorded
from tacit.report.coverage import coverage, coverage_page
from tests.docs.pages import page

TABLES = {"pepper": 8, "fpl": 4, "federank": 2, "hegedus": 1}
FIGURES = {"pepper": 15, "fpl": 4, "federank": 3, "hegedus": 4}
"""How many each paper has. The thesis numbers its own by chapter: see its test."""


@pytest.mark.parametrize("name", TABLES)
def test_every_number_of_a_paper_is_shown_or_left_out_with_a_reason(name: str) -> None:
    paper = paper_named(name)
    shown = {item.rstrip("ab") for exhibit in paper.exhibits for item in exhibit.items} | set(paper.left_out)
    expected = {f"table-{n}" for n in range(1, TABLES[name] + 1)}
    assert shown == expected | {f"figure-{n}" for n in range(1, FIGURES[name] + 1)}


@pytest.mark.parametrize("name", papers())
def test_every_command_of_the_page_finds_its_exhibit(name: str) -> None:
    paper = paper_named(name)
    for item in coverage([name])["papers"][name]["items"]:
        if item["command"] is not None:
            *_, option, asked = item["command"].split()
            assert item["item"] in (*exhibit_named(paper, asked, option[2:]).items, asked)


def test_the_page_is_current() -> None:
    assert page("papers/coverage.md") == coverage_page(), "make docs writes it anew"


def test_numbers_of_data_that_few_people_have_are_named() -> None:
    """Table 4 of FPL prints Brazil; a run on other data has nothing to stand beside."""
    lines = coverage_page().splitlines()
    assert any(
        "`tacit reproduce fpl --table 4`" in line and "printed for Foursquare Brazil only" in line
        for line in lines
    )


def test_recorded_verdicts_are_of_claims_and_tables_that_exist() -> None:
    for name, item in recorded():
        paper = paper_named(name)
        assert item in {claim.name for claim in paper.claims} | {exhibit.name for exhibit in paper.exhibits}
