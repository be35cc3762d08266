import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.protocols.clusters.simulation import deal
from tacit.simulator.user_groups import alone, together


@settings(deadline=None, max_examples=60)
@given(users=st.integers(1, 200), size=st.integers(1, 250), seed=st.integers(0, 99))
def test_everybody_is_dealt_once_and_evenly(users, size, seed):
    members = deal(users, size, seed)
    assert sorted(members.user.tolist()) == list(range(users))
    assert members.sizes.max() <= size
    assert members.sizes.max() - members.sizes.min() <= 1
    # No fewer clusters would do.
    assert members.agents == -(-users // size)
    assert [members.agent[u] for u in members.user] == np.repeat(
        np.arange(members.agents), members.sizes
    ).tolist()


@pytest.mark.parametrize("seed", [0, 1])
def test_the_two_ends(seed):
    for dealt, same in ((deal(7, 1, seed), alone(7)), (deal(7, 7, seed), together(7))):
        assert dealt.first.tolist() == same.first.tolist()
        assert dealt.user.tolist() == same.user.tolist()


def test_who_meets_whom_depends_on_the_seed():
    assert deal(100, 10, 0).user.tolist() != deal(100, 10, 1).user.tolist()
