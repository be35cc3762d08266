# ruff: noqa: RUF001 - characters that look alike are what is tested
from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.core.errors import BadInput
from tacit.node.catalogue import item_keys

TITLES = st.text(min_size=1, max_size=60)
YEARS = st.none() | st.integers(-5, 3000)


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        (item_keys.film_key("Night Ferry, The", 2010), "film:t:night ferry:2010"),
        (item_keys.film_key("Night Ferry"), "film:t:night ferry:-"),
        (item_keys.film_key("Night Ferry", 98), "film:t:night ferry:-"),
        (item_keys.film_key("Salt: Road", 1999), "film:t:salt road:1999"),
        (item_keys.series_key("Salt Road", 1998), "series:t:salt road:1998"),
        (item_keys.book_key("Paper Boats", "Ada Okafor"), "book:t:paper boats:okafor"),
        (item_keys.book_key("Paper Boats (Harbour, #1)", "Okafor, Ada"), "book:t:paper boats:okafor"),
        (item_keys.book_key("Paper Boats [Harbour #1-3]", "Ada Okafor"), "book:t:paper boats:okafor"),
        (item_keys.book_key("Paper Boats: A Novel", "Ada Okafor Jr."), "book:t:paper boats:okafor"),
        (item_keys.book_key("Letters: Volume 2", "Ada Okafor"), "book:t:letters volume 2:okafor"),
        (item_keys.book_key("Letters: Vol. II", "Ada Okafor"), "book:t:letters vol 2:okafor"),
        (item_keys.book_key("Harbour: Boxed Set", "Ada Okafor"), "book:t:harbour boxed set:okafor"),
        (item_keys.book_key(": Harbour", "Ada Okafor"), "book:t:harbour:okafor"),
        (item_keys.book_key("Sagas", ""), "book:t:sagas:-"),
        (item_keys.book_key("Tides", "Ursula K. Le Marsh"), "book:t:tides:marsh"),
        (item_keys.book_key("Tides", "Le Marsh, Ursula K."), "book:t:tides:marsh"),
        (item_keys.artist_key("The Blue Orchard"), "artist:t:blue orchard"),
        (item_keys.album_key("Winter Signal", "The Blue Orchard"), "album:t:winter signal:blue orchard"),
        (item_keys.csv_key(" 1193 "), "csv:1193"),
        (item_keys.csv_key("csv:1193"), "csv:1193"),
        (item_keys.csv_key("a:b \u202e c"), "csv:a:b c"),
        (item_keys.csv_key("film:t:night ferry:2010"), "film:t:night ferry:2010"),
    ],
)
def test_keys(key: str, expected: str) -> None:
    assert key == expected
    assert item_keys.key_fault(key) == ""


def test_a_row_is_a_known_hash_of_its_key() -> None:
    # printf 'tacit-key/1|film:t:night ferry:2010' | b2sum -l 64
    digest = "fd315ae8d79eb1cf"
    assert item_keys.row_id("film:t:night ferry:2010") == int.from_bytes(bytes.fromhex(digest), "little")
    assert item_keys.KEY_VERSION == 1


@given(TITLES, YEARS, TITLES)
def test_every_key_that_is_made_is_accepted(title: str, year: int | None, name: str) -> None:
    makers = [
        lambda: item_keys.film_key(title, year),
        lambda: item_keys.series_key(title, year),
        lambda: item_keys.book_key(title, name),
        lambda: item_keys.artist_key(name),
        lambda: item_keys.album_key(title, name),
        lambda: item_keys.csv_key(title),
    ]
    for make in makers:
        try:
            key = make()
        except BadInput:  # There is nothing in it to make a key of.
            assert not any(c.isalnum() for c in title) or not any(c.isalnum() for c in name)
            continue
        assert item_keys.key_fault(key) == ""
        assert item_keys.display_title(key)


@pytest.mark.parametrize(
    "key",
    [
        "",
        "film",
        "film:t:",
        "film:t::2010",
        "film:t:night ferry",
        "film:t:night ferry:",
        "film:t:night ferry:10",
        "film:t:night ferry:２０１０",
        "film:t:Night Ferry:2010",
        "film:t:the night ferry:2010",
        "film:t:night  ferry:2010",
        "film:t:night ferry:2010:x",
        "film:t:night\u202eferry:2010",
        "film:t:night\nferry:2010",
        "film:imdb:tt0000001",
        "book:t:paper boats",
        "book:t:paper boats:Okafor",
        "artist:t:blue orchard:x",
        "car:t:x:2010",
        "csv:",
        "csv: 7",
        "csv:7\x00",
        "csv:\ud800",
        "csv:" + "x" * item_keys.MAX_KEY_BYTES,
        "<script>alert(1)</script>",
    ],
)
def test_bad_keys_are_refused_without_repeating_them(key: str) -> None:
    fault = item_keys.key_fault(key)
    assert fault
    assert "ferry" not in fault
    with pytest.raises(BadInput):
        item_keys.check_key(key)


@given(st.text(max_size=80))
def test_any_text_is_a_key_or_has_a_fault(text: str) -> None:
    fault = item_keys.key_fault(text)
    if not fault:
        assert item_keys.check_key(text) == text
        assert "\n" not in item_keys.display_title(text)


@pytest.mark.parametrize(
    ("key", "title"),
    [
        ("film:t:night ferry:2010", "Night Ferry (2010)"),
        ("film:t:night ferry:-", "Night Ferry"),
        ("series:t:salt road:1998", "Salt Road (1998)"),
        ("book:t:paper boats:okafor", "Paper Boats, Okafor"),
        ("book:t:sagas:-", "Sagas"),
        ("artist:t:blue orchard", "Blue Orchard"),
        ("csv:abc", "abc"),
    ],
)
def test_a_title_from_a_key(key: str, title: str) -> None:
    assert item_keys.display_title(key) == title


def test_parts_of_a_key() -> None:
    assert item_keys.kind_of("film:t:night ferry:2010") == "film"
    assert item_keys.year_of("film:t:night ferry:2010") == 2010
    assert item_keys.year_of("film:t:night ferry:-") is None
    assert item_keys.year_of("csv:2010") is None


def test_a_title_to_show_is_one_short_line() -> None:
    assert item_keys.clean_title("  Night\n\u202eFerry ") == "Night Ferry"
    assert len(item_keys.clean_title("x" * 1000)) == item_keys.MAX_TITLE
