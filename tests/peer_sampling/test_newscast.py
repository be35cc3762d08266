from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from tacit.peer_sampling.newscast import Descriptor, merge_views, older


def view(**ages: int) -> list[Descriptor]:
    return [Descriptor(name, (), age) for name, age in ages.items()]


def test_the_freshest_of_both_stay_each_once_and_never_oneself() -> None:
    merged = merge_views(view(a=5, b=1), view(a=2, c=0, me=0), "me", 3, (1, 1))
    assert {one.id: one.age for one in merged} == {"c": 1, "b": 1, "a": 3}
    assert [one.age for one in merge_views(view(a=5, b=1), view(a=2, c=0), "me", 2, (1, 1))] == [1, 1]


def test_equals_are_kept_at_random() -> None:
    kept = Counter(merge_views(view(a=1, b=1, c=1), (), "me", 1, (1, event))[0].id for event in range(300))
    assert min(kept.values()) > 70


def test_views_grow_old() -> None:
    assert [one.age for one in older(view(a=0, b=4))] == [1, 5]


VIEWS = st.dictionaries(st.sampled_from("abcdefgh"), st.integers(0, 9)).map(lambda ages: view(**ages))


@given(VIEWS, VIEWS, st.integers(0, 5))
def test_never_more_than_asked_for_and_nobody_invented(
    mine: list[Descriptor], theirs: list[Descriptor], size: int
) -> None:
    merged = merge_views(mine, theirs, "a", size, (3, 4))
    names = [one.id for one in merged]
    assert len(names) == len(set(names)) <= size
    assert "a" not in names
    assert set(names) <= {one.id for one in mine + theirs}


def test_a_network_that_only_knows_one_node_soon_knows_itself_and_forgets_the_dead() -> None:
    """Thirty nodes that all know node 0; each round everybody exchanges with somebody it knows."""
    nodes = [f"{n:02}" for n in range(30)]
    views = {node: [Descriptor("00", (), 0)] if node != "00" else [] for node in nodes}
    event = 0
    for turn in range(60):
        alive = nodes if turn < 30 else nodes[:-5]
        for node in alive:
            known = [one for one in views[node] if one.id in alive]
            if not known:
                continue
            event += 1
            other = known[event % len(known)].id
            a, b = older(views[node]), older(views[other])
            views[node] = merge_views(a, [*b, Descriptor(other, (), 0)], node, 8, (1, event))
            views[other] = merge_views(b, [*a, Descriptor(node, (), 0)], other, 8, (2, event))
    known = Counter(one.id for node in nodes[:-5] for one in views[node])
    assert set(known) == set(nodes[:-5])
    assert max(known.values()) < 25
