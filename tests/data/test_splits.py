"""Every part of every user's interactions ends up in exactly one place, and always the same."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.core.errors import BadInput
from tacit.core.interactions import Interactions
from tacit.core.settings import setting
from tacit.data.splits import KINDS, Split, split, split_by


def pairs(part: Interactions) -> set[tuple[int, int]]:
    return set(zip(part.user.tolist(), part.item.tolist(), strict=True))


@st.composite
def tables(draw: st.DrawFn) -> Interactions:
    counts = [25, *draw(st.lists(st.integers(0, 30), min_size=1, max_size=6))]
    user = np.repeat(np.arange(len(counts)), counts)
    item = np.concatenate([draw(st.permutations(range(30)))[:count] for count in counts])
    time = draw(st.lists(st.integers(0, 9), min_size=len(user), max_size=len(user)))
    return Interactions.from_pairs(user, item, None, time, users=len(counts), items=30)


def parts_of(made: Split) -> list[Interactions]:
    return [part for part in (made.train, made.test, made.validation) if part is not None]


@given(tables(), st.sampled_from(KINDS), st.booleans(), st.integers(0, 2**40))
def test_parts_are_disjoint_and_together_everything(
    table: Interactions, kind: str, validation: bool, seed: int
) -> None:
    made = split(table, kind, seed=seed, n=5, validation=validation)
    parts = parts_of(made)
    assert sum(map(len, parts)) == len(table)
    assert set().union(*map(pairs, parts)) == pairs(table)
    assert all(part.users == table.users and part.items == table.items for part in parts)
    assert np.all((made.train.counts > 0) | (table.counts == 0)), "everybody keeps something to learn from"
    again = split(table, kind, seed=seed, n=5, validation=validation)
    assert all(pairs(a) == pairs(b) for a, b in zip(parts, parts_of(again), strict=True))


@given(tables(), st.booleans())
def test_sizes_are_as_promised(table: Interactions, validation: bool) -> None:
    counts = table.counts
    made = split(table, "random-n", seed=1, n=5, validation=validation)
    assert made.test.counts.tolist() == [5 if n > 5 else 0 for n in counts]
    made = split(table, "random-share", seed=1, weighting=validation)
    assert made.test.counts.tolist() == [n * 15 // 100 for n in counts]
    if made.validation is not None:
        assert made.validation.counts.tolist() == made.test.counts.tolist()
    made = split(table, "temporal", seed=1, validation=validation)
    assert made.test.counts.tolist() == [n // 5 for n in counts]
    if made.validation is not None:
        assert made.validation.counts.tolist() == [(n - n // 5) // 5 for n in counts]


@given(tables(), st.sampled_from(KINDS), st.integers(0, 99))
def test_a_user_s_parts_do_not_depend_on_the_others(table: Interactions, kind: str, seed: int) -> None:
    alone = table.take(table.user == 0)
    for part, other in zip(
        parts_of(split(table, kind, seed=seed, n=5, validation=True)),
        parts_of(split(alone, kind, seed=seed, n=5, validation=True)),
        strict=True,
    ):
        assert part.of(0)[0].tolist() == other.of(0)[0].tolist()


@given(tables())
def test_temporal_parts_follow_each_other_in_time(table: Interactions) -> None:
    parts = parts_of(split(table, "temporal", seed=0, validation=True))
    parts = [parts[0], parts[2], parts[1]]
    for user in range(table.users):
        orders = [part.order[part.start[user] : part.start[user + 1]] for part in parts]
        joined = np.concatenate([np.sort(order) for order in orders])
        assert np.all(np.diff(joined) > 0)


def test_equal_times_go_by_the_order_of_the_source() -> None:
    table = Interactions.from_pairs(
        [0] * 5 + [1] * 5, [4, 3, 2, 1, 0, 0, 1, 2, 3, 4], None, [7] * 10, users=2, items=5
    )
    made = split(table, "temporal", seed=0)
    assert [made.test.of(user)[0].tolist() for user in (0, 1)] == [[0], [4]]


def test_another_seed_is_another_split() -> None:
    table = Interactions.from_pairs(np.repeat(range(4), 50), np.tile(range(50), 4), users=4, items=50)
    first, second = (pairs(split(table, "random-n", seed=seed).test) for seed in (0, 1))
    assert first != second


def test_every_interaction_is_equally_likely_to_be_held_out() -> None:
    table = Interactions.from_pairs(
        np.repeat(range(2000), 10), np.tile(range(10), 2000), users=2000, items=10
    )
    made = split(table, "random-n", seed=3, n=2, validation=True)
    for part in (made.test, made.validation):
        assert part is not None
        # Binomial(2000, 0.2): mean 400, standard deviation 18.
        assert np.all(np.abs(np.bincount(part.item) - 400) < 90)


def test_a_share_means_what_it_says_in_decimals() -> None:
    table = Interactions.from_pairs(np.repeat([0, 1], 100), np.tile(range(100), 2), users=2, items=100)
    assert split(table, "random-share", seed=0, share=0.29).test.counts.tolist() == [29, 29]


def test_users_with_too_little_are_counted_in_a_note() -> None:
    table = Interactions.from_pairs([0, 0, 0, 1, 1], [0, 1, 2, 0, 1], users=2, items=3)
    made = split(table, "random-n", seed=0, n=2)
    assert made.notes == ["1 of 2 users have too few interactions for a test part"]
    assert made.to_json() == {"kind": "random-n", "n": 2, "seed": 0, "train": 3, "test": 2}


def test_impossible_splits_are_refused() -> None:
    table = Interactions.from_pairs([0, 0, 1], [0, 1, 0], users=2, items=2)
    with pytest.raises(BadInput, match="gives no user a test part: got at most 2 interactions per user"):
        split(table, "random-n", seed=0)
    with pytest.raises(BadInput, match="did you mean temporal"):
        split(table, "temporl", seed=0)
    with pytest.raises(BadInput, match=r"split\.share: got 1\.5"):
        split(table, "temporal", seed=0, share=1.5)
    with pytest.raises(BadInput, match=r"split\.n: got 0"):
        split(table, "random-n", seed=0, n=0)


@dataclass(frozen=True)
class Every:
    """Every so-manyth interaction."""

    step: int = setting(3, "which")

    def held_out(self, table: Interactions, seed: int) -> np.ndarray:
        return np.arange(len(table)) % self.step == 0


def test_a_split_of_ones_own_and_its_validation_part() -> None:
    table = Interactions.from_pairs([0, 0, 0, 0, 1, 1, 1], [0, 1, 2, 3, 0, 1, 2], [1] * 7, users=2, items=4)
    plain = split_by(Every(), "every", table, seed=5)
    assert (len(plain.train), len(plain.test), plain.validation) == (4, 3, None)
    assert plain.to_json() == {"kind": "every", "step": 3, "seed": 5, "train": 4, "test": 3}
    tuning = split_by(Every(), "every", table, seed=5, validation=True)
    assert tuning.validation is not None
    assert (len(tuning.train), len(tuning.test), len(tuning.validation)) == (2, 3, 2)
    with pytest.raises(BadInput, match="split every: got all interactions in the test part"):
        split_by(Every(step=1), "every", table, seed=5)
