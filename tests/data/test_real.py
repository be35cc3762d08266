"""The figures of the papers, from the real files. Skipped where TACIT_DATA does not have them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tacit.data.dataset import load
from tacit.data.splits import split

FOLDER = Path(os.environ.get("TACIT_DATA", "nowhere"))


def needs(name: str) -> None:
    if not (FOLDER / f"{name}.parquet").is_file():
        pytest.skip(f"TACIT_DATA has no {name}.parquet")


@pytest.mark.parametrize(
    ("name", "users", "items", "rows"),
    [
        ("movielens-100k", 943, 1_682, 100_000),
        ("movielens-1m", 6_040, 3_706, 1_000_209),
        ("foursquare-nyc", 1_083, 38_333, 227_428),
        ("amazon-digital-music", 1_835, 41_488, 75_932),
    ],
)
def test_sizes_are_those_of_the_papers(name: str, users: int, items: int, rows: int) -> None:
    needs(name)
    data = load(name)
    assert (data.table.users, data.table.items, len(data.events)) == (users, items, rows)


def test_pepper_s_filter_of_foursquare_nyc() -> None:
    """Places with 10 visitors or more, users with 10 check-ins or more, one row a pair: 965 x 1,211."""
    needs("foursquare-nyc")
    data = load("foursquare-nyc", min_user=10, min_item=10)
    assert (data.table.users, data.table.items) == (965, 1_211)


def test_fpl_s_training_set_of_foursquare_italy() -> None:
    needs("foursquare-italy")
    made = split(load("foursquare-italy").table, "temporal", seed=0, share=0.2)
    assert len(made.train) == 54_088


def test_ten_test_ratings_a_user_of_movielens_100k() -> None:
    needs("movielens-100k")
    made = split(load("movielens-100k").table, "random-n", seed=0, n=10)
    assert (len(made.train), len(made.test)) == (90_570, 9_430)


def test_titles_of_movielens() -> None:
    needs("movielens-1m")
    first = load("movielens-1m").items.row(0, named=True)
    assert (first["item"], first["title"], first["year"]) == ("1", "Toy Story (1995)", 1995)
