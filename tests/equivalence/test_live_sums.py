"""Live nodes that exchange sums, over a transport in memory and in virtual time, end with the simulator's bits.

Their stores, messages, ledgers and open catalogues are the real ones. Items have, in the simulator, the places of their
rows' names in ascending order, and start with the rows that live nodes draw by name. Masks are off: the simulator draws
them from its seed, devices agree on them by messages; with masks see `tests/node/push_sum/test_sum_masks.py`.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tacit.core.message.half_precision import narrow
from tacit.node.catalogue.item_keys import row_id
from tacit.node.push_sum.sum_learner import SumLearner
from tacit.node.push_sum.sum_rules import SumRules
from tacit.node.push_sum.sums import name_rows
from tacit.node.store.records import Rating
from tacit.protocols.push_sum import simulation as push_sum
from tacit.protocols.push_sum.simulation import Conduct, PushSumSimulation
from tacit.protocols.push_sum.state import GOOD, WAKES
from tacit.simulator.simulation import ticks
from tacit.testing.in_memory_network import MemoryNetwork
from tests.equivalence.networks import FULL
from tests.equivalence.sums import SEED, Sums
from tests.node.live_network import LiveNetwork, key_of

TURNS = 30.37


def keys(items: int) -> list[str]:
    """In the order of their rows' names."""
    return sorted((key_of(n) for n in range(items)), key=row_id)


def simulated(network: Sums, monkeypatch: pytest.MonkeyPatch) -> PushSumSimulation:
    names = np.array([row_id(key) for key in keys(network.items)], np.uint64)

    def first_rows(model, seed: int, items: int) -> np.ndarray:  # type: ignore[no-untyped-def]
        rows, words = (
            np.zeros((items, model.row_width), np.float32),
            np.zeros(items * model.row_width, np.uint16),
        )
        name_rows(names, model.hyper().spread, rows)
        narrow(rows.reshape(-1), words)
        return words

    monkeypatch.setattr(push_sum, "first_rows", first_rows)
    simulation = network.simulation()
    simulation.advance(ticks(TURNS * FULL))
    return simulation


def live(network: Sums, home: Path, period: int) -> LiveNetwork:
    conduct = network.conduct
    rules = SumRules(
        network.model,
        SEED,
        period,
        conduct.turns,
        0.0,
        conduct.tolerance,
        conduct.patience,
        longest=4,
        members=1,
        wait=0,
    )
    half = period // 2 / 1e6
    nodes = LiveNetwork(home, rules, network=MemoryNetwork(lambda size: half if size > 60 else 0.0))
    known = keys(network.items)
    for user in range(network.users):
        items, _ = network.train.of(user)
        ratings = [Rating(known[int(i)], "", value=5.0) for i in items]
        others = [n for n in range(network.users) if n != user]
        nodes.add(ratings, others, network.items, model="ials", open=True)
    nodes.run(TURNS * FULL, exchanges=None, poll=600.0)
    return nodes


@pytest.mark.parametrize(
    ("users", "conduct"), [(4, Conduct(turns=8)), (20, Conduct(turns=8)), (20, Conduct())]
)
def test_live_nodes_and_simulated_ones_end_with_the_same_bits(
    users: int, conduct: Conduct, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    network = Sums(users=users, conduct=conduct)
    simulation = simulated(network, monkeypatch)
    nodes = live(network, tmp_path, simulation.period)
    for user, agent in enumerate(nodes.agents):
        learner = agent.learner
        assert isinstance(learner, SumLearner)
        for name in ("clock", "sums", "words", "heads", "rows", "private", "known"):
            ours, theirs = getattr(simulation.book, name)[user], getattr(learner.book, name)[0]
            if name == "clock":
                ours, theirs = ours[:5], theirs[:5]  # who is waited for is looked up at the next wake
            assert ours.tobytes() == theirs.tobytes(), f"{name} of node {user}"
    if conduct.turns:
        assert min(agent.learner.rounds for agent in nodes.agents) >= 2
    assert sum(agent.ledger.sent().updates for agent in nodes.agents) == simulation.messages
    entries = [entry for agent in nodes.agents for entry in agent.ledger.entries(10_000)]
    assert sum(entry.rows_rated for entry in entries) == simulation.traffic.rows_rated.sum()


def test_a_node_alone_sends_nothing_and_reads_nothing_out_as_the_reference(tmp_path: Path) -> None:
    network = Sums(users=1, conduct=Conduct(turns=8))
    host = network.host()
    host.run(ticks(TURNS * FULL))
    nodes = live(network, tmp_path, ticks(FULL))
    node, agent = host.nodes[0], nodes.agents[0]
    assert (len(host.wire), node.book.clock[0, GOOD]) == (0, -1)
    assert isinstance(agent.learner, SumLearner)
    assert (agent.ledger.entries(), agent.learner.good, agent.learner.rounds) == ([], -1, 0)
    assert agent.learner.wakes == node.book.clock[0, WAKES] > 20
