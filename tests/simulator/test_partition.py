from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tacit.core.interactions import Interactions
from tacit.simulator.partition import ALONE, Partition


def _ranks(count: int) -> list[Partition]:
    made = [Partition() for _ in range(count)]
    for rank, one in enumerate(made):
        one.rank, one.ranks = rank, count
    return made


@given(nodes=st.integers(1, 200), count=st.integers(1, 9))
def test_every_node_is_on_one_rank_and_ranks_differ_by_one_node(nodes: int, count: int) -> None:
    ranks = _ranks(count)
    assert [u for one in ranks for u in one.own(nodes)] == list(range(nodes))
    sizes = [len(one.own(nodes)) for one in ranks]
    assert max(sizes) - min(sizes) <= 1
    owner = ranks[0].owner(nodes)
    for one in ranks:
        own = one.own(nodes)
        assert (owner[own.start : own.stop] == one.rank).all()
        assert one.places(nodes)[own.start : own.stop].tolist() == list(range(len(own)))


def test_a_rank_has_the_entries_of_its_users_under_their_own_numbers() -> None:
    table = Interactions.from_pairs([0, 1, 1, 2, 3], [0, 0, 1, 2, 1], [1, 2, 3, 4, 5], users=4, items=3)
    first, second = (one.part(table) for one in _ranks(2))
    assert first.value.tolist() == [1, 2, 3]
    assert second.start.tolist() == [0, 0, 0, 1, 2]
    assert second.of(3)[1].tolist() == [5]
    assert _ranks(2)[1].only_own(table.start).tolist() == second.start.tolist()


def test_one_process_has_everything_and_asks_nobody() -> None:
    array = np.arange(6.0)
    ALONE.complete(array)
    ALONE.share(array)
    done: list[int] = []
    ALONE.in_turn([array], lambda: done.append(1))
    assert (array.tolist(), done) == ([0, 1, 2, 3, 4, 5], [1])
    assert list(ALONE.own(6)) == [0, 1, 2, 3, 4, 5]
    assert [piece.tolist() for piece in ALONE.pieces(array, np.array([1, 3, 5]), 2)] == [[1, 3], [5]]
    assert (ALONE.total(3), ALONE.any(False), ALONE.decided(True), ALONE.costs()) == (3, False, True, {})
