"""Strides that are the same for all in a period, and mix fast."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.protocols.push_sum.ring import stride


def mixed(nodes: int, periods: int, first: int = 0) -> float:
    """How much is left of the differences between nodes that each give half away in every period."""
    values = np.random.default_rng(1).normal(size=(nodes, 20))
    before = (values - values.mean(axis=0)).std()
    for period in range(first, first + periods):
        values = values / 2 + np.roll(values, stride(0, period, nodes), axis=0) / 2
    return float((values - values.mean(axis=0)).std() / before)


@given(st.integers(0, 2**31), st.integers(0, 10**9), st.integers(2, 5000))
def test_nobody_sends_to_itself(seed: int, period: int, nodes: int) -> None:
    assert 0 < stride(seed, period, nodes) < nodes


@pytest.mark.parametrize("nodes", [2, 8, 64])
@pytest.mark.parametrize("again", [0, 7])
def test_a_pass_makes_all_the_same_where_nodes_are_a_power_of_two(nodes: int, again: int) -> None:
    doublings = nodes.bit_length() - 1
    assert mixed(nodes, doublings, again * doublings) < 1e-12


@pytest.mark.parametrize("nodes", [20, 100, 943, 1000])
@pytest.mark.parametrize("first", [0, 5, 33])
def test_thirty_periods_do_what_forty_with_random_peers_would(nodes: int, first: int) -> None:
    assert mixed(nodes, 30, first) < 2**-20


def test_passes_differ_and_seeds_do() -> None:
    assert len({stride(0, 10 * again, 943) for again in range(20)}) > 15
    assert len({stride(seed, 0, 943) for seed in range(20)}) > 15
