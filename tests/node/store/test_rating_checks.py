"""Checksums of ratings: what nobody wrote is noticed, what was written never is."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tacit.core.errors import BadInput
from tacit.node.store.database import FILE, Damaged, Store
from tacit.node.store.rating_checks import rating_hash
from tacit.node.store.ratings import RatingStore
from tacit.node.store.records import Rating
from tacit.node.store.schema import STEPS
from tests.node.live_network import make_store

RATINGS = [
    Rating("film:t:night ferry:2010", "Night Ferry (2010)", value=4.5, time=1_600_000_000, source="imdb"),
    Rating("film:t:salt road:1998", "Salt Road (1998)", "seen", source="netflix"),
    Rating("csv:7", "7", value=2.0),
]


def test_a_hash_is_of_every_part() -> None:
    one = ("", "csv:7", "rating", 2.0, 5, "here")
    others = [
        ("ana", *one[1:]), ("", "csv:8", *one[2:]), (*one[:2], "seen", *one[3:]), (*one[:3], 2.5, *one[4:]),
        (*one[:4], 6, one[5]), (*one[:5], "csv"), (*one[:3], None, *one[4:]),
    ]  # fmt: skip
    assert len({rating_hash(*row) for row in (one, *others)}) == 8  # type: ignore[arg-type]
    assert rating_hash("", "csv:7", "rating", 2, 5, "here") == rating_hash(*one), "as SQLite gives it back"


keys = st.sampled_from(["csv:1", "csv:2", "csv:3", "film:t:night ferry:2010"])
people = st.sampled_from(["", "ana"])
actions = st.lists(st.tuples(keys, people, st.sampled_from([None, 1.0, 4.5])), max_size=12)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(actions)
def test_whatever_is_written_the_sums_fit(
    tmp_path_factory: pytest.TempPathFactory, done: list[tuple[str, str, float | None]]
) -> None:
    store = make_store(tmp_path_factory.mktemp("s") / "n")
    ratings = RatingStore(store)
    expected: dict[tuple[str, str], float] = {}
    for key, person, value in done:
        if value is None:
            ratings.unrate(key, person)
            expected.pop((person, key), None)
        else:
            ratings.rate(
                [Rating(key, "", value=1.0, person=person), Rating(key, "", value=value, person=person)]
            )
            expected[person, key] = value
        ratings.verify()
    assert {(r.person, r.key): r.value for r in ratings.ratings()} == expected
    store.close()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE ratings SET value = 4.0 WHERE value = 4.5",
        "UPDATE ratings SET signal = 'want' WHERE signal = 'seen'",
        "UPDATE ratings SET time = time + 1 WHERE time IS NOT NULL",
        "DELETE FROM ratings WHERE signal = 'seen'",
        "UPDATE items SET key = 'csv:8' WHERE key = 'csv:7'",
        "DELETE FROM items WHERE key = 'csv:7'",
        "UPDATE rating_checks SET digest = digest + 1",
        "DELETE FROM rating_checks",
        "UPDATE items SET title = 'Night Terry (2010)' WHERE title = 'Night Ferry (2010)'",
        "UPDATE items SET title = CAST(x'ff7a' AS TEXT) WHERE key = 'csv:7'",
        "UPDATE items SET title_check = 0 WHERE key = 'csv:7'",
        "INSERT INTO ratings SELECT 'x', row, signal, value, time, source FROM ratings LIMIT 1",
        "UPDATE items SET key = CAST(x'ff7a' AS TEXT) WHERE key = 'csv:7'",
    ],
)
def test_what_nobody_wrote_is_noticed_and_the_remedy_named(tmp_path: Path, statement: str) -> None:
    store = make_store(tmp_path / "n")
    ratings = RatingStore(store)
    ratings.rate(RATINGS)
    assert len(ratings.ratings()) == 3
    with sqlite3.connect(tmp_path / "n" / FILE) as other:
        other.execute(statement)
    other.close()
    with pytest.raises(Damaged, match="tacit node restore"):
        ratings.ratings()
    # Going on does not hide it.
    ratings.rate([Rating("csv:9", "", value=3.0)])
    with pytest.raises(Damaged):
        ratings.ratings()
    store.close()


def test_flipped_bits_in_the_file_change_no_rating_unnoticed(tmp_path: Path) -> None:
    store = make_store(tmp_path / "n")
    ratings = RatingStore(store)
    ratings.rate(
        RATINGS + [Rating(f"film:t:title {i}:1990", f"Title {i}", value=1 + i % 5) for i in range(40)]
    )
    said = {(r.key, r.title, r.signal, r.value, r.time) for r in ratings.ratings()}
    store.read("PRAGMA wal_checkpoint(TRUNCATE)")
    store.close()
    whole = (tmp_path / "n" / FILE).read_bytes()
    noticed = 0
    for bit in range(0, 8 * len(whole), 8 * len(whole) // 400):
        spoiled = bytearray(whole)
        spoiled[bit // 8] ^= 1 << bit % 8
        (tmp_path / "n" / FILE).write_bytes(bytes(spoiled))
        try:
            store = Store(tmp_path / "n")
        except BadInput:
            noticed += 1
            continue
        try:
            found = {(r.key, r.title, r.signal, r.value, r.time) for r in RatingStore(store).ratings()}
            assert found == said, f"bit {bit}"
        except Damaged:
            noticed += 1
        finally:
            store.close()
            for name in (f"{FILE}-wal", f"{FILE}-shm"):
                (tmp_path / "n" / name).unlink(missing_ok=True)
    assert noticed > 10


def test_a_flipped_bit_in_any_title_is_noticed_and_a_backup_brings_it_back(tmp_path: Path) -> None:
    store = make_store(tmp_path / "n")
    ratings = RatingStore(store)
    ratings.rate(RATINGS)
    store.read("PRAGMA wal_checkpoint(TRUNCATE)")
    store.close()
    file = tmp_path / "n" / FILE
    whole = file.read_bytes()
    place = whole.index(b"Salt Road (1998)")
    assert whole.count(b"Salt Road (1998)") == 1
    file.write_bytes(whole[:place] + b"M" + whole[place + 1 :])
    store = Store(tmp_path / "n")
    ratings = RatingStore(store)
    with pytest.raises(Damaged, match="titles of ratings"):
        ratings.ratings()
    ratings.replace_all(RATINGS)
    assert ratings.ratings() == sorted(RATINGS, key=lambda r: r.key)
    store.close()


def test_a_title_that_one_person_writes_anew_fits_for_all(tmp_path: Path) -> None:
    store = make_store(tmp_path / "n")
    ratings = RatingStore(store)
    ratings.rate([Rating("csv:7", "Seven", value=2.0, person=who) for who in ("ana", "bo")])
    ratings.rate([Rating("csv:7", "Se7en", value=3.0, person="bo")])
    assert {rating.title for rating in ratings.ratings()} == {"Se7en"}
    store.close()


def test_a_store_of_the_first_version_gets_its_sums(tmp_path: Path) -> None:
    (tmp_path / "n").mkdir()
    with sqlite3.connect(tmp_path / "n" / FILE) as old:
        old.executescript(STEPS[0])
        old.execute("INSERT INTO items VALUES (5, 'csv:5', 'Five', 0)")
        old.execute("INSERT INTO ratings VALUES ('', 5, 'rating', 4.0, NULL, 'here')")
        old.execute("PRAGMA user_version = 1")
    old.close()
    store = Store(tmp_path / "n")
    assert [rating.value for rating in RatingStore(store).ratings()] == [4.0]
    store.write("UPDATE items SET title = 'Fire'")
    with pytest.raises(Damaged):
        RatingStore(store).ratings()
    store.close()
