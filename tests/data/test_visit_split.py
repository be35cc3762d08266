"""Visits are divided, each into one part; tables and sequences have what their part's visits have."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.core.errors import BadInput
from tacit.core.interactions import Interactions
from tacit.data.dataset import Dataset, load
from tacit.data.given_split import parts_table
from tacit.data.sequences import sequences
from tacit.data.splits import TEST, TRAIN, VALIDATION
from tacit.data.training_catalogue import only_training_items
from tacit.data.visit_split import VISITS, visit_split


def check_ins(users: list[int], items: list[int], times: list[int]) -> Dataset:
    rows = pl.DataFrame({"user": users, "item": items, "timestamp": times})
    where = pl.DataFrame({"lat": [40.0 + i for i in items], "lon": [-74.0] * len(items)})
    return load(pl.concat([rows, where], how="horizontal"), duplicates="latest")


@st.composite
def visits(draw: st.DrawFn) -> Dataset:
    counts = [20, *draw(st.lists(st.integers(1, 25), min_size=1, max_size=4))]
    users = [user for user, count in enumerate(counts) for _ in range(count)]
    rows = len(users)
    items = [0, 1, *draw(st.lists(st.integers(0, 5), min_size=rows - 2, max_size=rows - 2))]
    times = draw(st.lists(st.integers(0, 9), min_size=rows, max_size=rows))
    order = draw(st.permutations(range(rows)))
    return check_ins(*([column[n] for n in order] for column in (users, items, times)))


def places(rows: pl.DataFrame) -> set[tuple[int, int]]:
    return set(rows.select("user", "item").iter_rows())


def pairs(table: Interactions) -> set[tuple[int, int]]:
    return set(zip(table.user.tolist(), table.item.tolist(), strict=True))


@given(visits(), st.sampled_from(list(VISITS)), st.booleans(), st.integers(0, 2**40))
def test_every_visit_is_in_one_part_and_a_part_has_the_places_of_its_visits(
    data: Dataset, kind: str, validation: bool, seed: int
) -> None:
    made = visit_split(data, kind, seed=seed, validation=validation)
    assert made.visits is not None
    tables = [(TRAIN, made.train), (TEST, made.test)]
    if made.validation is not None:
        tables.append((VALIDATION, made.validation))
    assert set(made.visits.tolist()) <= {part for part, _ in tables}
    for part, table in tables:
        assert pairs(table) == places(data.events.filter(made.visits == part))
    total = np.bincount(data.events["user"], minlength=data.users)
    held = np.bincount(data.events.filter(made.visits == TEST)["user"], minlength=data.users)
    share = {"random-visits": 15, "temporal-visits": 20}[kind]
    assert held.tolist() == [count * share // 100 for count in total.tolist()]
    again = visit_split(data, kind, seed=seed, validation=validation)
    assert again.visits is not None
    assert again.visits.tolist() == made.visits.tolist()


@given(visits())
def test_the_latest_visits_are_held_out(data: Dataset) -> None:
    made = visit_split(data, "temporal-visits", seed=0)
    rows = data.events.with_columns(part=made.visits)
    for user in range(data.users):
        own = rows.filter(pl.col("user") == user)
        learned, held = (own.filter(pl.col("part") == part)["timestamp"] for part in (TRAIN, TEST))
        assert held.is_empty() or learned.max() <= held.min()  # type: ignore[operator]


def test_a_place_in_both_parts_is_learned_from_by_its_earlier_visits_alone() -> None:
    data = check_ins([1] * 5 + [2] * 5, [1, 2, 1, 3, 1, 2, 2, 3, 3, 3], [*range(5), *range(5)])
    made = visit_split(data, "temporal-visits", seed=0, share=0.2)
    assert pairs(made.test) == {(0, 0), (1, 2)}
    assert pairs(made.train) == {(0, 0), (0, 1), (0, 2), (1, 1), (1, 2)}
    found = sequences(data, made.train, made.visits)
    assert found.item.tolist() == [0, 1, 0, 2, 1, 1, 2, 2]
    assert made.notes == [
        "visits are split: 2 of 2 held-out places are ones that their user has been to, and lists may have such places"
    ]
    assert made.train.time is not None
    assert made.train.time[0] == 2, "the time of a held-out visit is not told"


def test_items_that_only_the_test_part_has_can_be_left_out() -> None:
    data = check_ins([1] * 5 + [2] * 5, [1, 2, 1, 2, 9, 2, 2, 3, 3, 3], [*range(5), *range(5)])
    smaller, parts = only_training_items(data, visit_split(data, "temporal-visits", seed=0))
    assert smaller.item_ids.tolist() == ["1", "2", "3"]
    assert parts.visits is not None
    assert len(parts.visits) == len(smaller.events) == 9
    assert sequences(smaller, parts.train, parts.visits).item.tolist() == [0, 1, 0, 1, 1, 1, 2, 2]


def test_parts_of_visits_are_not_written_as_pairs() -> None:
    data = check_ins([1] * 5 + [2] * 5, [1, 2, 1, 3, 1, 2, 2, 3, 3, 3], [*range(5), *range(5)])
    with pytest.raises(BadInput, match=r"^split: got random-visits; allowed: a split of pairs"):
        parts_table(data, visit_split(data, "random-visits", seed=0, share=0.5))
