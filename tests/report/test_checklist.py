"""The checklist of the papers' items: nothing silent, and every place it names is there."""

from __future__ import annotations

from pathlib import Path

import tacit
from tacit.papers.base import reference
from tacit.papers.reproduce import papers
from tacit.report.checklist import STATES, checklist_page
from tests.docs.pages import page

SOURCE = Path(tacit.__file__).parent
ROOT = Path(__file__).parents[2]


def test_every_paper_is_there_and_every_state_is_known() -> None:
    rows = reference("checklist")
    assert {row["paper"] for row in rows} == set(papers())
    assert {row["state"] for row in rows} <= set(STATES)


def test_places_exist_and_every_deviation_says_what_differs() -> None:
    for row in reference("checklist"):
        assert (SOURCE / row["where"]).exists() or (ROOT / row["where"]).exists(), row
        assert row["source"], row
        assert row["remark"] or row["state"] != "documented deviation", row


def test_no_item_is_listed_twice() -> None:
    items = [(row["paper"], row["item"]) for row in reference("checklist")]
    assert len(items) == len(set(items))


def test_the_page_is_current() -> None:
    assert page("papers/checklist.md") == checklist_page(), "make docs writes it anew"
