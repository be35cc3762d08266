from __future__ import annotations

import pytest

from tacit.core.errors import BadInput
from tacit.papers.item_names import exhibit_named
from tests.papers.fake_paper import PAPER


@pytest.mark.parametrize(
    ("text", "kind", "name"),
    [
        ("table-1", "", "table-1"),
        ("Table 1", "", "table-1"),
        ("1", "table", "table-1"),
        ("1", "figure", "figure-1"),
        ("1", "", "table-1"),
        ("fig. 1", "", "figure-1"),
        ("figure_1", "", "figure-1"),
        ("figure-2b", "", "sizes"),
        ("2", "figure", "sizes"),  # both of its parts
        ("2b", "table", "sizes"),  # there is no table 2b, but a figure
        ("1a", "figure", "figure-1"),  # the paper's figure has parts that ours shows in one
        ("sizes", "figure", "sizes"),
        ("table3", "", "sizes"),
    ],
)
def test_names_that_people_would_try(text: str, kind: str, name: str) -> None:
    assert exhibit_named(PAPER, text, kind).name == name


def test_an_unknown_name_lists_all_and_a_drawing_says_why_not() -> None:
    with pytest.raises(BadInput, match=r"got table-7; .*known: figure-1, sizes, table-1, table-2"):
        exhibit_named(PAPER, "table-7")
    with pytest.raises(BadInput, match=r"got 3; known:"):
        exhibit_named(PAPER, "3", "figure")  # there is a table 3; whoever says figure does not mean it
    with pytest.raises(BadInput, match=r"got fig 9 \(a drawing, no result\); "):
        exhibit_named(PAPER, "fig 9")
