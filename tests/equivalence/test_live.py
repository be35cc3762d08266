"""Live nodes over a transport in memory, in virtual time, end with the same bits as the simulator.

Their stores, messages, ledgers and open catalogues are the real ones. Items are known to all nodes beforehand in the
simulator's order, so that a row stands at the same place in both: where a row stands decides how it starts and in which
order a pass goes over a person's ratings.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tacit.core.compiled.threads import Workers
from tacit.core.interactions import Interactions
from tacit.merges import age_average
from tacit.models.bpr import PairwiseRanking
from tacit.models.mf import MatrixFactorization
from tacit.node.store.records import Rating
from tacit.privacy.known import Known
from tacit.protocols.alone.simulation import AloneSimulation
from tacit.protocols.gossip.node import GossipRules
from tacit.simulator.simulation import Scenario, ticks
from tacit.testing.in_memory_network import MemoryNetwork
from tests.equivalence.networks import FULL, Network
from tests.node.live_network import LiveNetwork, key_of

TURNS = 6.37


class Wide(Network):
    """On the scale of live ratings."""

    model = MatrixFactorization(k=3, eta=0.05, scale=(1.0, 5.0))


class Liked(Network):
    """Live nodes rank what was liked against all else: here everything somebody has was."""

    @property
    def train(self) -> Interactions:
        table = super().train
        return replace(table, value=np.full(len(table), 5, np.float32))


def live(network: Network, home: Path, seconds: float) -> LiveNetwork:
    period = ticks(FULL)
    rules = GossipRules(network.model, network.merge, 7, period, (Known(),), network.epochs, True)
    nodes = LiveNetwork(home, rules, network=MemoryNetwork(lambda size: FULL if size > 60 else 0.0))
    train, graph = network.train, None if network.users == 1 else network.graph
    for user in range(network.users):
        items, values = train.of(user)
        ratings = [Rating(key_of(int(i)), "", value=float(v)) for i, v in zip(items, values, strict=True)]
        nodes.add(ratings, [] if graph is None else graph[user].tolist(), network.items, open=True)
    # Whom a node knows stays as it is in the simulator.
    nodes.run(seconds, exchanges=None, poll=60.0)
    return nodes


def assert_same(nodes: LiveNetwork, simulation) -> None:  # type: ignore[no-untyped-def]
    for user, agent in enumerate(nodes.agents):
        simulated, real = simulation.fleet.node(user), agent.learner.state
        assert simulated.ages.tolist() == real.ages.tolist(), f"ages of node {user}"
        assert simulated.rows.tobytes() == real.rows.tobytes(), f"rows of node {user}"
        assert simulated.private.tobytes() == real.private.tobytes(), f"private part of node {user}"
        assert simulated.clock == real.clock, f"clock of node {user}"


@pytest.mark.parametrize("users", [2, 50])
def test_live_nodes_and_simulated_ones_end_with_the_same_bits(users: int, tmp_path: Path) -> None:
    network = Wide(age_average.merge(), users, epochs=2)
    simulation = network.simulation()
    simulation.advance(ticks(TURNS * FULL))
    nodes = live(network, tmp_path, TURNS * FULL)
    assert simulation.node_rounds > 4 * users
    assert sum(agent.learner.rounds for agent in nodes.agents) == simulation.node_rounds
    assert_same(nodes, simulation)


@pytest.mark.parametrize("users", [2, 12])
def test_and_so_they_do_by_adam(users: int, tmp_path: Path) -> None:
    model = PairwiseRanking(k=3, lr=0.02, optimizer="adam")
    network = Liked(age_average.merge(), users, model=model)
    simulation = network.simulation()
    simulation.advance(ticks(TURNS * FULL))
    nodes = live(network, tmp_path, TURNS * FULL)
    assert_same(nodes, simulation)
    start = simulation._data.memory_start
    for user, agent in enumerate(nodes.agents):
        kept = simulation._data.memory[start[user] : start[user + 1]]
        assert kept.any()
        assert kept.tobytes() == agent.learner.state.memory.tobytes(), f"what node {user} remembers"


def test_a_node_without_anybody_to_learn_with_learns_as_one_that_is_simulated_alone(tmp_path: Path) -> None:
    network = Wide(age_average.merge(), 1, epochs=2)
    setting = Scenario(
        network.model, network.train, 7, network.online, epochs=2, full_seconds=FULL, workers=Workers(1)
    )
    simulation = AloneSimulation(setting)
    simulation.advance(ticks(7.5 * FULL))
    nodes = live(network, tmp_path, 6.999 * FULL)
    assert nodes.agents[0].learner.rounds == simulation.node_rounds == 7
    assert_same(nodes, simulation)


def test_what_was_saved_on_the_way_is_what_is_in_memory(tmp_path: Path) -> None:
    nodes = live(Wide(age_average.merge(), 2), tmp_path, 3.2 * FULL)
    agent = nodes.agents[0]
    saved = agent.store.arrays()
    assert saved == agent.learner.save()
    again = type(agent.learner)(agent.learner.number, agent.rules)
    again.restore(saved)
    assert np.array_equal(again.state.rows, agent.learner.state.rows)
    assert again.save() == saved
