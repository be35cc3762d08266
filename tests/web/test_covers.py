from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tacit
from tacit.web.covers import FINISHES, OF_KIND, SHAPES, cover

CSS = (Path(tacit.__file__).parent / "web" / "static" / "tacit.css").read_text()


@given(st.text(max_size=80), st.none() | st.integers(0, 255))
def test_every_class_name_is_in_the_stylesheet(title: str, hue: int | None) -> None:
    made = cover("film:t:night ferry:2010", title, hue)
    for name in made.looks.split():
        assert re.search(rf"\.{name}\b", CSS), name


def test_all_shapes_and_finishes_are_drawn() -> None:
    for name in (*FINISHES, *SHAPES, *OF_KIND.values(), "grey", *(f"h{hue:02}" for hue in range(24))):
        assert re.search(rf"^(?:.* )?\.{name}(?:::before)? \{{", CSS, flags=re.MULTILINE), name


def test_a_title_always_looks_the_same_and_others_differ() -> None:
    keys = [f"film:t:night ferry {letter}:2010" for letter in "abcdefghijkl"]
    looks = [cover(key, "Night Ferry", 3).looks for key in keys]
    assert looks == [cover(key, "Night Ferry", 3).looks for key in keys]
    assert len(set(looks)) > 6
    assert cover("book:t:paper boats:okafor", "Paper Boats, Ada Okafor", None).looks.split()[1:4:2] == [
        "grey",
        "spine",
    ]


def test_long_titles_have_smaller_type() -> None:
    sizes = [
        cover("csv:1", title, 0).looks[-1] for title in ("Tide", "Breakwater", "Quartermaster", "A " * 40)
    ]
    assert sizes == ["1", "3", "5", "5"]


@pytest.mark.parametrize(
    ("key", "title", "name", "author"),
    [
        ("book:t:dune:herbert", "Dune (Dune, #1), Frank Herbert", "Dune", "Frank Herbert"),
        ("book:t:paper boats:okafor", "Paper Boats, Ada Okafor", "Paper Boats", "Ada Okafor"),
        ("book:t:salt road:-", "Salt Road", "Salt Road", ""),
        ("book:t:salt bread and water:okafor", "Salt, Bread, and Water", "Salt, Bread, and Water", ""),
        (
            "album:t:winter signal:blue orchard",
            "Winter Signal, Blue Orchard",
            "Winter Signal",
            "Blue Orchard",
        ),
        ("film:t:tomorrow again:1999", "Tomorrow, Again (1999)", "Tomorrow, Again", ""),
    ],
)
def test_a_book_has_its_author_apart(key: str, title: str, name: str, author: str) -> None:
    found = cover(key, title, None)
    assert (found.name, found.author, found.title) == (name, author, title)
