"""The sparse table holds exactly the pairs it was given, seen from users and from items."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.core.interactions import Interactions

USERS, ITEMS = 6, 9
Triple = tuple[int, int, float]
tables = st.lists(
    st.tuples(
        st.integers(0, USERS - 1), st.integers(0, ITEMS - 1), st.floats(-5, 5, width=32), st.integers(0, 5)
    ),
    unique_by=lambda row: row[:2],
    max_size=40,
)


def table(rows: list[tuple[int, int, float, int]]) -> Interactions:
    user, item, value, time = ([row[n] for row in rows] for n in range(4))
    return Interactions.from_pairs(user, item, value, time, users=USERS, items=ITEMS)


def triples(made: Interactions) -> list[Triple]:
    return list(zip(made.user.tolist(), made.item.tolist(), made.value.tolist(), strict=True))


@given(tables)
def test_holds_every_pair_users_first_then_items_ascending(rows: list[tuple[int, int, float, int]]) -> None:
    made = table(rows)
    assert triples(made) == sorted((u, i, v) for u, i, v, _ in rows)
    assert (made.users, made.items, len(made)) == (USERS, ITEMS, len(rows))
    for user in range(USERS):
        items, values = made.of(user)
        assert list(zip(items.tolist(), values.tolist(), strict=True)) == sorted(
            (i, v) for u, i, v, _ in rows if u == user
        )
        assert made.counts[user] == len(items)


@given(tables)
def test_order_is_the_rank_in_time_and_keeps_the_source_order_of_ties(
    rows: list[tuple[int, int, float, int]],
) -> None:
    made = table(rows)
    in_time = sorted(rows, key=lambda row: row[3])
    assert [triples(made)[n][:2] for n in np.argsort(made.order)] == [row[:2] for row in in_time]


@given(tables, st.data())
def test_take_keeps_what_is_asked_for_and_everything_of_it(
    rows: list[tuple[int, int, float, int]], data: st.DataObject
) -> None:
    made = table(rows)
    keep = np.array(data.draw(st.lists(st.booleans(), min_size=len(rows), max_size=len(rows))), np.bool_)
    kept, rest = made.take(keep), made.take(~keep)
    assert sorted(triples(kept) + triples(rest)) == triples(made)
    assert triples(kept) == [row for row, yes in zip(triples(made), keep, strict=True) if yes]
    assert (kept.users, kept.items) == (USERS, ITEMS)
    assert kept.time is not None
    assert kept.order.tolist() == made.order[keep].tolist()


@given(tables)
def test_by_item_is_the_same_table_seen_from_the_items(rows: list[tuple[int, int, float, int]]) -> None:
    made = table(rows)
    start, entries = made.by_item()
    assert len(start) == ITEMS + 1
    assert sorted(entries.tolist()) == list(range(len(rows)))
    for item in range(ITEMS):
        users = made.user[entries[start[item] : start[item + 1]]]
        assert users.tolist() == sorted(u for u, i, _, _ in rows if i == item)


def test_values_are_one_and_time_is_unknown_where_none_is_given() -> None:
    made = Interactions.from_pairs([1, 0], [0, 1], users=3, items=2)
    assert made.value.tolist() == [1, 1]
    assert made.time is None
    assert made.of(2)[0].tolist() == []


def test_a_pair_may_stand_there_only_once() -> None:
    with pytest.raises(ValueError, match="more than once"):
        Interactions.from_pairs([0, 0], [1, 1], [3, 4], users=1, items=2)


def test_positions_outside_the_table_are_refused() -> None:
    with pytest.raises(ValueError, match="outside 2 users x 3 items"):
        Interactions.from_pairs([0, 2], [0, 1], users=2, items=3)
    with pytest.raises(ValueError, match="outside"):
        Interactions.from_pairs([0, 1], [0, -1], users=2, items=3)
