import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tacit.core.math.negative_sampling import among, draw_many, draw_one, draw_outside

SETS = st.sets(st.integers(0, 29), max_size=30)


@given(SETS, st.integers(1, 40), st.integers(0, 1000))
def test_drawn_items_are_different_ascending_and_outside(own: set[int], count: int, seed: int) -> None:
    mine = np.array(sorted(own), np.int32)
    out = np.empty(count, np.int32)
    draw_outside(seed, 25, 0, 0, mine, 30, out)
    drawn = out[out >= 0]
    assert len(drawn) == min(count, 30 - len(own))
    assert (np.diff(drawn) > 0).all()
    assert not own & set(drawn.tolist())
    assert (out[len(drawn) :] == -1).all()


@given(SETS, st.integers(0, 29))
def test_among(own: set[int], item: int) -> None:
    assert among(np.array(sorted(own), np.int32), item) == (item in own)


def test_one_at_a_time_reaches_everything_outside_about_equally() -> None:
    own = np.array([0, 3, 4], np.int32)
    draw, counts = 0, np.zeros(8, int)
    for _ in range(5000):
        item, draw = draw_one(1, 26, 2, 0, draw, own, 8)
        counts[item] += 1
    assert counts[own].sum() == 0
    assert counts[[1, 2, 5, 6, 7]].min() > 900


@given(st.sets(st.integers(0, 29), max_size=29), st.integers(0, 300), st.integers(0, 1000))
def test_many_at_once_are_those_drawn_one_at_a_time(own: set[int], count: int, seed: int) -> None:
    mine = np.array(sorted(own), np.int32)
    out = np.empty(count, np.int32)
    draw_many(seed, 26, 3, 4, mine, 30, out)
    draw = 0
    for item in out:
        wanted, draw = draw_one(seed, 26, 3, 4, draw, mine, 30)
        assert item == wanted
