"""Tables in Markdown."""

from __future__ import annotations

from tacit.report.markdown import table


def test_a_bar_in_a_cell_does_not_end_it() -> None:
    lines = table(("name", "means"), [["a|b", "either"]]).splitlines()
    assert lines == ["| name | means |", "| --- | --- |", "| a\\|b | either |"]
