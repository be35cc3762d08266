from __future__ import annotations

import math

import pytest
from jinja2 import UndefinedError

from tacit.report.formatting import MISSING
from tacit.report.page.render import Html, Marked, as_text, render


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, MISSING),
        (math.nan, MISSING),
        (True, "yes"),
        (0.1 + 0.2, "0.3"),
        ([1, None, "a"], f"1, {MISSING}, a"),
        ({"k": 5, "on": False}, "k: 5, on: no"),
    ],
)
def test_values_are_written_for_people(value: object, text: str) -> None:
    assert as_text(value) == text


def test_everything_is_escaped_but_html() -> None:
    assert "<li>&lt;b&gt;</li><li><b></li>" in render("bullets.html", lines=["<b>", Html("<b>")])
    assert "<dd>&lt;b&gt;</dd>" in render("machine.html", machine={"a": ["<b>"]})


def test_marked_values_stand_out() -> None:
    page = render("machine.html", machine={"a": Marked("<1>"), "b": Marked("x", "code")})
    assert '<dd><strong><span class="best">best</span> &lt;1&gt;</strong></dd>' in page
    assert "<dd><code>x</code></dd>" in page


def test_a_name_that_was_not_given_is_an_error() -> None:
    with pytest.raises(UndefinedError, match="command"):
        render("again.html")
