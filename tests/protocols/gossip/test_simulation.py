"""Gossip in virtual time, worked out by hand: who hears what when, and what gets lost."""

from __future__ import annotations

import numpy as np
import pytest

from tacit.core.message.codec import encoded_size
from tacit.core.rng import Stream, uniforms
from tacit.merges import age_average
from tacit.models.mf import MatrixFactorization
from tacit.simulator.churn.sessions import SECOND
from tests.simulator.small import PERIOD, Spans, biases, gossip, online, table

# Node 0 rated item 0 with 4, node 1 rated item 1 with 2.
TWO = table((0, 0, 4), (1, 1, 2), users=2)
PAIR = [[1], [0]]
RING = [[1], [2], [0]]
THREE = table((0, 0, 4), (1, 0, 4), (2, 0, 4), users=3)


def test_two_cycles_without_merging() -> None:
    simulation = gossip(TWO, PAIR)
    # 0 s: both send (0, 0).
    simulation.advance(PERIOD - 1)
    assert simulation.node_rounds == 0
    # 10 s: node 0 gets (0, 0): err = 4, c0 = b = 2. Node 1: err = 2, c1 = b = 1. Then both send.
    simulation.advance(PERIOD)
    assert (biases(simulation, 0), biases(simulation, 1)) == ([2, 0], [0, 1])
    assert simulation.fleet.private.tolist() == [[2], [1]]
    # 20 s: node 0 takes (0, 1): err = 4 - 2 - 0 = 2, c0 = 1, b = 3. Node 1 takes (2, 0): err = 2 - 1 - 0 = 1.
    # Had they sent before they handled what arrived at 10 s, node 0 would now hold (1, 0).
    simulation.advance(2 * PERIOD)
    assert (biases(simulation, 0), biases(simulation, 1)) == ([1, 1], [2, 0.5])
    assert simulation.fleet.private.tolist() == [[3], [1.5]]
    assert simulation.messages == 6
    assert simulation.node_rounds == 4


@pytest.mark.parametrize("staggered", [False, True])
def test_nodes_that_wait_do_the_same_a_period_later(staggered: bool) -> None:
    at_once = gossip(THREE, RING, staggered=staggered)
    waiting = gossip(THREE, RING, staggered=staggered)
    waiting.wait()
    waiting.advance(PERIOD - 1)
    assert waiting.messages == 0
    for periods in range(1, 4):
        at_once.advance(periods * PERIOD)
        waiting.advance((periods + 1) * PERIOD)
        assert waiting.messages == at_once.messages > 0
        assert waiting.fleet.private.tobytes() == at_once.fleet.private.tobytes()


def test_two_cycles_with_merging_by_age() -> None:
    simulation = gossip(TWO, PAIR, merge=age_average.merge())
    simulation.advance(PERIOD)  # as without: rows of age 0 change nothing
    assert (biases(simulation, 0), biases(simulation, 1)) == ([2, 0], [0, 1])
    # 20 s: node 0 has (2, 0) with ages (1, 0) and gets (0, 1) with ages (0, 1): (2, 1).
    #       err = 4 - 2 - 2 = 0. Node 1 ends with the same rows: err = 2 - 1 - 1 = 0.
    simulation.advance(2 * PERIOD)
    assert biases(simulation, 0) == biases(simulation, 1) == [2, 1]
    assert [simulation.fleet.node(u).ages.tolist() for u in (0, 1)] == [[2, 1], [1, 2]]
    # 30 s: rows are equal, so merging moves nothing; ages become the larger ones and one more.
    simulation.advance(3 * PERIOD)
    assert [simulation.fleet.node(u).ages.tolist() for u in (0, 1)] == [[3, 2], [2, 3]]
    assert [simulation.fleet.node(u).clock for u in (0, 1)] == [3, 3]


def test_at_one_instant_messages_are_handled_in_the_order_of_their_senders() -> None:
    # Nodes 1 and 2 both send to 0, who has no ratings. The later one replaces the earlier one.
    train = table((1, 0, 4), (2, 0, 2), users=3)
    simulation = gossip(train, [[1], [0], [0]], model=MatrixFactorization(k=2))
    second = simulation.fleet.node(2).rows.copy()
    simulation.advance(PERIOD)
    assert simulation.fleet.node(0).rows.tolist() == second.tolist()
    assert simulation._rounds.tolist() == [2, 1, 0]


@pytest.mark.parametrize("seed", range(4))
def test_staggered_messages_are_handled_in_the_order_of_their_arrival(seed: int) -> None:
    simulation = gossip(
        table(users=3), [[1], [0], [0]], model=MatrixFactorization(k=2), staggered=True, seed=seed
    )
    starts = uniforms(seed, Stream.START, 0, 3, 1)[:, 0]
    first = [simulation.fleet.node(u).rows.copy() for u in range(3)]
    last = 1 if starts[1] > starts[2] else 2
    # The sender who starts last has the last word, with its first model: nothing reached it before it sent.
    simulation.advance(PERIOD + int(starts[last] * PERIOD))
    assert simulation.fleet.node(0).rows.tolist() == first[last].tolist()


def test_a_staggered_node_sends_once_a_cycle_from_its_own_offset() -> None:
    simulation = gossip(TWO, PAIR, staggered=True)
    starts = (uniforms(1, Stream.START, 0, 2, 1)[:, 0] * PERIOD).astype(int)
    for time in (0, starts.min() - 1, starts.min(), starts.max(), starts.min() + PERIOD):
        simulation.advance(int(time))
        assert simulation.messages == sum(int((time - s) // PERIOD) + 1 for s in starts)


@pytest.mark.parametrize(
    ("spans", "rounds", "why"),
    [
        ([(0, 5)], [0, 0, 1], "its own message and the one to it are lost when a node leaves mid-transfer"),
        ([(0, 10)], [0, 0, 1], "a session does not hold its end: gone at the very instant of arrival"),
        ([(0, 10.000001)], [1, 1, 1], "a microsecond later both have arrived"),
        ([(0, 3), (7, 20)], [0, 0, 1], "away in between is away"),
        ([(0, 3), (3, 20)], [1, 1, 1], "two sessions that touch are one"),
        ([(8, 20)], [0, 0, 1], "who is not there at the start is not written to, and does not send"),
    ],
)
def test_a_transfer_needs_both_ends_all_the_time(spans: Spans, rounds: list[int], why: str) -> None:
    # 0 -> 1 -> 2 -> 0; node 0 comes and goes.
    simulation = gossip(THREE, RING, online(spans, None, None))
    simulation.advance(PERIOD)
    assert simulation._rounds.tolist() == rounds, why


def test_lost_messages_were_sent_all_the_same() -> None:
    simulation = gossip(THREE, RING, online([(0, 5)], None, None))
    simulation.advance(PERIOD - 1)
    size = encoded_size(2, 1, 0, sparse=False)
    assert (simulation.messages, simulation.bytes) == (3, 3 * size)
    assert simulation.traffic.rows.tolist() == [2, 2, 2]
    assert simulation.traffic.rows_rated.tolist() == [1, 1, 1]


def test_nobody_is_written_to_who_is_not_there() -> None:
    simulation = gossip(THREE, RING, online([(100, 200)], None, None))
    simulation.advance(5 * PERIOD)
    # 2 only knows 0 and stays silent; 0 sleeps; 1 writes to 2 at 0, 10, ... 50 s.
    assert simulation.traffic.updates.tolist() == [0, 6, 0]
    assert simulation._rounds.tolist() == [0, 0, 5]


def test_with_nobody_online_nothing_happens() -> None:
    simulation = gossip(THREE, RING, online([(100, 200)], [(100, 200)], [(100, 200)]))
    before = simulation.fleet.slots.rows.copy()
    simulation.advance(9 * PERIOD)
    assert (simulation.messages, simulation.bytes, simulation.node_rounds) == (0, 0, 0)
    assert np.array_equal(simulation.fleet.slots.rows, before)


def test_a_node_that_is_offline_when_it_is_due_waits_for_its_next_turn() -> None:
    # Offline at 0 s, back at 2 s: its next message leaves at 10 s, not at 2 s.
    simulation = gossip(TWO, PAIR, online([(2, 1000)], None))
    simulation.advance(PERIOD - 1)
    assert simulation.traffic.updates.tolist() == [0, 0]  # and node 1 had nobody to write to
    simulation.advance(PERIOD)
    assert simulation.traffic.updates.tolist() == [1, 1]


def test_a_peer_is_chosen_among_those_online() -> None:
    train = table(*((u, 0, 4.0) for u in range(4)), users=4)
    graph = [[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]]
    simulation = gossip(train, graph, online(None, None, [(900, 901)], [(900, 901)]))
    simulation.advance(10 * PERIOD)
    assert simulation._rounds.tolist() == [10, 10, 0, 0]


def test_a_compressed_cycle_is_as_short_as_its_message() -> None:
    train = table((0, 0, 4), (1, 1, 2), users=2, items=10)
    simulation = gossip(train, PAIR, merge=age_average.merge(), share=0.3)
    assert simulation.period == 3 * SECOND
    simulation.advance(9 * SECOND)
    assert simulation.messages == 8  # at 0, 3, 6, 9 s
    assert simulation.node_rounds == 6
    assert simulation.bytes == 8 * encoded_size(3, 1, 0, sparse=True)
    assert simulation.traffic.rows.tolist() == [12, 12]
    assert simulation.traffic.rows_rated.tolist() == [4, 4]


def test_a_compressed_message_carries_the_state_of_its_sending() -> None:
    # One row of two: always the rated one. 0 s: c = 0 for both.
    # 5 s: node 0: err = 4, c0 = b = 2; node 1: err = 2, c1 = b = 1. Then 0 sends row 0, 1 sends row 1.
    # 10 s: node 0 has (2, 1): err = 0. Node 1 the same.
    simulation = gossip(TWO, PAIR, merge=age_average.merge(), share=0.5)
    simulation.advance(PERIOD // 2)
    assert (biases(simulation, 0), biases(simulation, 1)) == ([2, 0], [0, 1])
    simulation.advance(PERIOD)
    assert (biases(simulation, 0), biases(simulation, 1)) == ([2, 1], [2, 1])
