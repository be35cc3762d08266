from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.core.errors import BadInput
from tacit.node.importers.entries import header, table
from tests.node.importers.exports import plain


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_separators_and_line_ends(separator: str, end: str) -> None:
    text = end.join(["", " A ,B,C".replace(",", separator), "1,2,3".replace(",", separator), "", "4"]) + end
    assert list(table(plain(text), "export.csv", ("c", "a", "z"))) == [
        (3, {"c": "3", "a": "1", "z": ""}),
        (5, {"c": "", "a": "4", "z": ""}),
    ]


def test_lines_are_counted_as_an_editor_does() -> None:
    text = 'a,b\n"one\ntwo",x\nthree,y\n'
    assert [line for line, _ in table(plain(text), "export.csv", ("a",))] == [2, 4]


def test_a_line_remembers_what_stood_there_whatever_was_asked_for() -> None:
    text = 'a;b\r\n"one\r\n""two""";x\r\n\r\nthree;  y\r\nfour'
    found = [(line, line.file, line.text) for line, _ in table(plain(text), "export.csv", ("a",))]
    assert found == [
        (2, "export.csv", '"one\r\n""two""";x'),
        (5, "export.csv", "three;  y"),
        (6, "export.csv", "four"),
    ]


def test_signs_that_break_lines_elsewhere_do_not_here() -> None:
    rows = list(table(plain("a,b\none\u2028two\x0bthree\x85,x\n"), "export.csv", ("b",)))
    assert rows == [(2, {"b": "x"})]


def test_a_missing_column_is_named_and_nothing_in_the_file_is() -> None:
    with pytest.raises(BadInput, match="no column rating") as told:
        list(table(plain("My Diary,Secret Film\n1,2\n"), "export.csv", ("rating",), needed=("rating",)))
    assert "secret" not in str(told.value).lower()


def test_a_cell_without_end_is_refused_with_its_line() -> None:
    with pytest.raises(BadInput, match="no proper csv"):
        list(table(plain('a,b\n1,2\n"' + "x" * 200_000), "export.csv", ("a",)))


@given(st.text(max_size=200))
def test_any_text_is_a_table_or_refused(text: str) -> None:
    if not text.strip() or text.startswith("PK"):
        return
    try:
        rows = list(table(plain(text.encode("utf-8", "replace")), "export.csv", ("a",)))
    except BadInput:
        return
    assert all(set(cells) == {"a"} for _, cells in rows)
    assert header(text) is not None


@pytest.mark.parametrize(
    "rows",
    ['1,"Night Ferry\n2,Salt Road\n3,Grey Hours\n', '1,"Night Ferry\n2,Salt Road\n3,"Grey Hours"\n4,Pier\n'],
)
def test_a_quote_that_is_never_closed_swallows_nothing(rows: str) -> None:
    with pytest.raises(BadInput, match=r"a quote that is never closed \(line 3\)"):
        list(table(plain(f"item,title\n0,First\n{rows}"), "x.csv", ("item", "title")))


def test_cells_over_several_lines_and_quotes_in_them_are_fine() -> None:
    text = 'item,title\n1,"Night\n""Ferry"""\n2,5" gun\n'
    assert [cells["title"] for _, cells in table(plain(text), "x.csv", ("item", "title"))] == [
        'Night\n"Ferry"', '5" gun',
    ]  # fmt: skip
