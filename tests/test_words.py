"""Plain English in pages, docstrings, help texts and errors. `tests/words.py` has the rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.words import Place, complaints, judge

ROOT = Path(__file__).parents[1]
NOT_YET = {"docs/papers/checklist.md", "docs/papers/coverage.md"}
"""Generated lists whose cells name equations, tables and counts. A file that becomes plain leaves: a test says so."""
FILES = [
    *(path for path in ROOT.glob("*.md") if path.name != "CHANGELOG.md"),
    *(ROOT / "docs").rglob("*.md"),
    *(ROOT / "docs").rglob("*.ipynb"),
    *(ROOT / "src" / "tacit").rglob("*.py"),
    *(ROOT / "src" / "tacit" / "recipe_files").rglob("*.toml"),
]


def test_every_sentence_is_plain() -> None:
    names = {path.relative_to(ROOT).as_posix(): path for path in FILES}
    hard = [
        f"{name}:{line}"
        for name, path in sorted(names.items())
        if name not in NOT_YET
        for line in complaints(path)
    ]
    assert not hard, "\n".join(hard)


def test_no_plain_file_is_left_out() -> None:
    assert [name for name in sorted(NOT_YET) if not complaints(ROOT / name)] == []


@pytest.mark.parametrize(
    ("text", "kind", "said"),
    [
        ("Who misses a read-out catches up.", "prose", "the subject comes first"),
        ("Rows that come late. Whoever has none waits.", "prose", "the subject comes first"),
        ("A node sends 3 MB a day.", "prose", "a rate has per"),
        ("It asks once a second.", "message", "a rate has per"),
        ("Gossip of biases alone: one number an item, no personal taste", "prose", "a rate has per"),
        ("A metric makes one value a user.", "prose", "a rate has per"),
        ("A rating that takes part leaves a mark.", "prose", "plain words"),
        ("A part is checked when it is met.", "prose", "plain words"),
        ("HR@20 is .92 there.", "prose", "a number has a leading zero"),
        ("The share is had by all.", "prose", "plain words"),
        ("Sums -- the masked ones -- are mixed.", "prose", "no aside between dashes"),
        ("One; two; three.", "prose", "one semicolon at most"),
        ("0.9176 0.9242", "cell", "one number per cell"),
        ("bpr 0.8 ms, gmf 1.2 ms", "cell", "one number per cell"),
        ("word " * 26, "prose", "a sentence of 26 words"),
    ],
)
def test_what_is_hard_to_read_is_found(text: str, kind: str, said: str) -> None:
    assert said in list(judge(Place(1, text, kind)))


def test_comments_and_the_line_about_a_recipe_are_read(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('# Rounds are short.\nabout = "One number an item"\nhours = 48.0  # 3 MB a day\nk = 5\n')
    assert [line.split(":")[:2] for line in complaints(file)] == [
        ["2", " a rate has per"],
        ["3", " a rate has per"],
    ]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("A node that misses a read-out catches up.", "prose"),
        ("Who can read it?", "prose"),
        ("A node sends 3 MB per day and asks a friend.", "prose"),
        ("One message a node sends holds one value per user.", "prose"),
        ("16 to 18 %", "cell"),
        ("943 nodes x 1,682 items of MovieLens, with k 5 and 20 rounds each", "cell"),
    ],
)
def test_what_is_plain_passes(text: str, kind: str) -> None:
    assert list(judge(Place(1, text, kind))) == []
