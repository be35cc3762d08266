"""A gossiping node, driven by hand: no host, no clock."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from tacit.core.errors import BadMessage
from tacit.core.message import codec
from tacit.core.message.update import received
from tacit.merges import age_average, none
from tacit.models.mf import MatrixFactorization
from tacit.privacy.subsample import Subsample
from tacit.protocols.gossip.node import GossipNode, GossipRules

# Biases only, eta 1/2, everything starts at 0: all numbers below are exact.
BIASES = MatrixFactorization(k=0, eta=0.5, scale=(0.0, 4.0))
RULES = GossipRules(BIASES, none.merge(), seed=1, period=100, staggered=False)


def node(
    number: int = 0, rules: GossipRules = RULES, known: tuple[int, ...] = (1, 2), **rated: float
) -> GossipNode:
    items = np.array([int(name[1:]) for name in rated], np.int32)
    return GossipNode(number, rules, 3, items, np.array([*rated.values()], np.float32), known)


def everybody(peer: int) -> bool:
    return True


def test_a_synchronous_node_wakes_at_zero_and_every_period() -> None:
    one = node()
    times = []
    for _ in range(3):
        times.append(one.next_wake)
        one.wake(one.next_wake, everybody)
    one.skip()
    assert [*times, one.next_wake] == [0, 100, 200, 400]


def test_staggered_nodes_start_anywhere_in_the_first_period() -> None:
    starts = [node(n, replace(RULES, staggered=True)).next_wake for n in range(200)]
    assert min(starts) < 5
    assert 95 <= max(starts) < 100


def test_it_sends_to_online_peers_only_each_equally_often() -> None:
    one = node(known=(5, 3, 9, 7))
    peers = Counter(one.wake(0, lambda peer: peer != 7)[0].peer for _ in range(900))
    assert set(peers) == {3, 5, 9}
    assert min(peers.values()) > 250


def test_it_keeps_silent_when_nobody_is_there() -> None:
    one = node()
    assert one.wake(0, lambda peer: False) == []
    assert one.next_wake == 100


def test_what_was_sent_does_not_change_afterwards() -> None:
    one = node(i0=4.0)
    send = one.wake(0, everybody)[0]
    before = codec.encode(send.update)
    one.receive(node(1).wake(0, everybody)[0].update)
    assert codec.encode(send.update) == before
    assert codec.encode(one.wake(100, everybody)[0].update) != before


def test_receiving_is_merging_and_then_learning() -> None:
    # The other's model: c = (2, 0, 0), ages (1, 0, 0). Merge none: taken over.
    # Then rating 4 of item 0: err = 4 - b - c = 4 - 0 - 2 = 2; c = 2 + 1, b = 1
    other = node(1, i0=4.0)
    other.receive(node(2).wake(0, everybody)[0].update)
    assert other.state.rows[:, 0].tolist() == [2, 0, 0]
    one = node(i0=4.0)
    one.receive(other.wake(0, everybody)[0].update)
    assert one.state.rows[:, 0].tolist() == [3, 0, 0]
    assert one.state.private.tolist() == [1]
    assert one.state.ages.tolist() == [2, 0, 0]
    assert (one.state.clock, one.rounds) == (2, 1)


def test_epochs_are_passes_over_the_data() -> None:
    # err = 4, c = b = 2; then err = 4 - 2 - 2 = 0
    one = node(rules=replace(RULES, epochs=2), i1=4.0)
    one.receive(node(1).wake(0, everybody)[0].update)
    assert one.state.rows[:, 0].tolist() == [0, 2, 0]
    assert one.state.ages.tolist() == [0, 2, 0]
    assert one.state.clock == 2


def test_rows_that_did_not_travel_stay() -> None:
    rules = replace(RULES, shields=(Subsample(0.34),))
    other = node(1, rules, i2=4.0)
    other.receive(node(2).wake(0, everybody)[0].update)  # c = (0, 0, 2)
    send = other.wake(0, everybody)[0]
    assert send.update.index is not None
    assert send.update.index.tolist() == [2]  # one of three rows, the rated one first
    one = node(i0=2.0)
    one.receive(node(2).wake(0, everybody)[0].update)  # c = (1, 0, 0)
    one.receive(send.update)  # c = (1, 0, 2), then err = 2 - 1 - 1 = 0
    assert one.state.rows[:, 0].tolist() == [1, 0, 2]


def test_the_ledger_tells_what_left_when_to_whom_and_how_much_was_one_s_own() -> None:
    one = node(rules=replace(RULES, shields=(Subsample(0.67),)), i1=3.0)
    send = one.wake(0, everybody)[0]
    one.record(2_500_000, send, len(codec.encode(send.update)))
    entry = one.ledger[0]
    assert (entry.time, entry.peer, entry.rows, entry.rows_rated) == (2.5, str(send.peer), 2, 1)
    assert entry.bytes == 28 + 2 * 12  # header; position, age and bias of two rows
    whole = node(i1=3.0, i2=1.0)
    whole.record(0, whole.wake(0, everybody)[0], 64)
    assert (whole.ledger[0].rows, whole.ledger[0].rows_rated) == (3, 2)


@pytest.mark.parametrize(
    ("items", "width", "dense", "dtype"), [(4, 1, 0, "f4"), (3, 2, 0, "f4"), (3, 1, 2, "f4"), (3, 1, 0, "f8")]
)
def test_a_model_of_another_shape_or_number_type_is_refused_and_changes_nothing(
    items: int, width: int, dense: int, dtype: str
) -> None:
    one = node(i0=4.0)
    rows, ages = np.full((items, width), 1, dtype), np.ones(items, np.int32)
    with pytest.raises(BadMessage, match="this node's own"):
        one.receive(received(items, None, rows, ages, np.zeros(dense, dtype), 5))
    assert (one.state.rows == 0).all()
    assert (one.state.clock, one.rounds) == (0, 0)


@pytest.mark.parametrize("sparse", [False, True])
def test_made_up_ages_do_not_run_over(sparse: bool) -> None:
    one = node(rules=replace(RULES, merge=age_average.merge()), i0=4.0)
    index = np.arange(3, dtype=np.int32) if sparse else None
    rows, ages = np.ones((3, 1), np.float32), np.full(3, 2**31 - 1, np.int32)
    for _ in range(3):
        one.receive(received(3, index, rows, ages, np.zeros(0, np.float32), 2**63 - 1))
    assert (one.state.ages > 0).all()
    back = codec.decode(codec.encode(one.wake(0, everybody)[0].update))
    assert back.rows.tolist() == one.state.rows.tolist()
