"""Real nodes over a transport in memory."""

from __future__ import annotations

import numpy as np

from tacit.core.message import codec
from tacit.merges import none
from tacit.models.mf import MatrixFactorization
from tacit.protocols.gossip.node import GossipNode, GossipRules
from tacit.simulator.churn.sessions import Sessions, always
from tacit.testing.in_memory_host import MemoryHost

# Biases only, eta 1/2, everything starts at 0; a cycle takes 10.
RULES = GossipRules(MatrixFactorization(k=0, eta=0.5, scale=(0.0, 4.0)), none.merge(), 1, 10, staggered=False)


def host(sessions: Sessions) -> MemoryHost:
    """Node 0 rated item 0 with 4, node 1 rated item 1 with 2."""
    nodes = [
        GossipNode(u, RULES, 2, np.array([u], np.int32), np.array([4 - 2 * u], np.float32), [1 - u])
        for u in range(2)
    ]
    return MemoryHost(nodes, sessions, 10)


def test_messages_arrive_after_their_transfer_and_before_the_next_send() -> None:
    made = host(always())
    made.run(20)
    # As worked out for the simulator: (2, 0) and (0, 1) after the first cycle, then
    # node 0 takes (0, 1): err = 4 - 2 - 0 = 2, c0 = 1; node 1 takes (2, 0): err = 2 - 1 - 0 = 1, c1 = 1/2.
    assert [node.state.rows[:, 0].tolist() for node in made.nodes] == [[1, 1], [2, 0.5]]
    assert [(time, sender, receiver) for time, sender, receiver, _ in made.wire] == [
        (0, 0, 1), (0, 1, 0), (10, 0, 1), (10, 1, 0), (20, 0, 1), (20, 1, 0),
    ]  # fmt: skip
    assert codec.decode(made.wire[2][3]).rows[:, 0].tolist() == [2, 0]


def test_everything_that_left_is_kept_lost_or_not() -> None:
    online = Sessions(np.array([0, 1, 2]), np.array([0, 0]), np.array([5, 1000]))
    made = host(online)
    made.run(30)
    assert len(made.wire) == 2
    assert [node.rounds for node in made.nodes] == [0, 0]
    assert [len(node.ledger) for node in made.nodes] == [1, 1]
    assert made.nodes[0].ledger[0].bytes == len(made.wire[0][3])
