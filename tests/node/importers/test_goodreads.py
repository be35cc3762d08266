from __future__ import annotations

import pytest

from tests.node.importers.exports import by_key, plain, read

COLUMNS = [
    "Book Id", "Title", "Author", "Author l-f", "Additional Authors", "ISBN", "ISBN13", "My Rating",
    "Average Rating", "Publisher", "Binding", "Number of Pages", "Year Published", "Original Publication Year",
    "Date Read", "Date Added", "Bookshelves", "Bookshelves with positions", "Exclusive Shelf", "My Review",
    "Spoiler", "Private Notes", "Read Count", "Owned Copies",
]  # fmt: skip
BOOKS = [
    {"Title": "Paper Boats (Harbour, #1)", "Author": "Ada Okafor", "My Rating": "4", "Exclusive Shelf": "read",
     "Date Read": "2021/03/02", "ISBN": '="0000000000"', "My Review": "so private", "Private Notes": "hush"},
    {"Title": "Tides: A Life", "Author": "Ursula Le Marsh", "My Rating": "0", "Exclusive Shelf": "read"},
    {"Title": "Later", "Author": "Ada Okafor", "My Rating": "0", "Exclusive Shelf": "to-read"},
    {"Title": "Too Long", "Author": "Ada Okafor", "My Rating": "0", "Exclusive Shelf": "dnf"},
    {"Title": "Half Way", "Author": "Ada Okafor", "My Rating": "0", "Exclusive Shelf": "currently-reading"},
    {"Title": "", "Author": "Ada Okafor", "My Rating": "3", "Exclusive Shelf": "read"},
]  # fmt: skip
OLD = ["Recommended For", "Recommended By", "Original Purchase Date", "Condition", "BCID"]


def export(columns: list[str]) -> str:
    quoted = [[book.get(column, "").replace('"', '""') for column in columns] for book in BOOKS]
    return "\n".join([",".join(columns), *(",".join(f'"{cell}"' for cell in row) for row in quoted)]) + "\n"


@pytest.mark.parametrize(
    "columns",
    [COLUMNS, [c for c in COLUMNS if c != "Average Rating"], [*COLUMNS, *OLD], COLUMNS[::-1]],
    ids=["2022", "2026", "before 2022", "any order"],
)
def test_every_era_gives_the_same_books(columns: list[str]) -> None:
    found = read(plain(export(columns), "goodreads_library_export.csv"))
    assert found.format == "goodreads"
    assert by_key(found) == {
        "book:t:paper boats:okafor": ("rating", 4.0),
        "book:t:tides:marsh": ("seen", None),
        "book:t:later:okafor": ("want", None),
        "book:t:too long:okafor": ("dropped", None),
    }
    assert found.summary()["reasons"] == {"still being read": 1, "no title": 1}
    assert found.parsed[0].time == 1614643200  # 2021-03-02


def test_reviews_and_notes_go_nowhere() -> None:
    found = read(plain(export(COLUMNS)))
    assert "private" not in repr(found)
    assert "hush" not in repr(found)


def test_a_title_is_shown_without_its_series() -> None:
    text = 'Title,Author,My Rating,Exclusive Shelf\n"Dune (Dune, #1)",Frank Herbert,5,read\n'
    (dune,) = read(plain(text)).ratings()
    assert (dune.key, dune.title) == ("book:t:dune:herbert", "Dune, Frank Herbert")
