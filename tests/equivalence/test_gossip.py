"""There is one implementation: a simulated fleet and real nodes end with the same bits.

Every message between the real nodes is encoded, carried as bytes and decoded.
"""

from __future__ import annotations

import numpy as np
import pytest

from tacit.merges import age_average, none
from tacit.protocols.gossip.simulation import GossipSimulation
from tacit.simulator.simulation import ticks
from tacit.testing.in_memory_host import MemoryHost
from tests.equivalence.networks import FULL, Network, fingerprint

MERGES = {"none": none.merge(), "age-average": age_average.merge()}
END = ticks(6.37 * FULL)


def assert_same(simulation: GossipSimulation, host: MemoryHost) -> None:
    for u, node in enumerate(host.nodes):
        simulated, real = simulation.fleet.node(u), node.state
        assert simulated.rows.tobytes() == real.rows.tobytes(), f"rows of node {u}"
        assert simulated.ages.tolist() == real.ages.tolist(), f"ages of node {u}"
        assert simulated.private.tobytes() == real.private.tobytes(), f"private part of node {u}"
        assert simulated.clock == real.clock, f"clock of node {u}"
        ledger, tally = node.ledger, simulation.traffic
        assert tally.updates[u] == len(ledger)
        assert tally.rows[u] == sum(entry.rows for entry in ledger)
        assert tally.rows_rated[u] == sum(entry.rows_rated for entry in ledger)
        assert tally.bytes[u] == sum(entry.bytes for entry in ledger)
    assert simulation.bytes == sum(len(data) for _, _, _, data in host.wire)
    assert simulation.messages == len(host.wire)
    assert simulation.node_rounds == sum(node.rounds for node in host.nodes)


@pytest.mark.parametrize("merge", MERGES)
@pytest.mark.parametrize("share", [1.0, 0.3])
@pytest.mark.parametrize("staggered", [True, False])
@pytest.mark.parametrize("churn", [False, True])
@pytest.mark.parametrize("users", [2, 50])
def test_simulated_and_real_nodes_end_with_the_same_bits(
    merge: str, share: float, staggered: bool, churn: bool, users: int
) -> None:
    network = Network(MERGES[merge], users, share=share, staggered=staggered, churn=churn, epochs=2)
    simulation, host = network.simulation(), network.host()
    simulation.advance(END)
    host.run(END)
    if churn and users == 50:
        assert 0 < simulation.node_rounds < 0.9 * simulation.messages  # some were lost
    if not churn:
        assert simulation.node_rounds >= simulation.messages - users
    assert_same(simulation, host)


@pytest.mark.parametrize("churn", [False, True])
def test_when_everybody_knows_everybody(churn: bool) -> None:
    network = Network(age_average.merge(), 20, churn=churn, everybody=True)
    simulation, host = network.simulation(), network.host()
    simulation.advance(END)
    host.run(END)
    assert_same(simulation, host)


def test_a_user_without_ratings_and_a_row_nobody_rated_are_no_exception() -> None:
    network = Network(age_average.merge(), 10)
    train = network.train
    bare = train.take((train.user != 3) & (train.item != 5))

    class Bare(Network):
        train = bare  # type: ignore[assignment]

    made = Bare(age_average.merge(), 10, share=0.5)
    simulation, host = made.simulation(), made.host()
    simulation.advance(END)
    host.run(END)
    assert_same(simulation, host)
    assert all(node.state.ages[5] == 0 for node in host.nodes)
    assert host.nodes[3].ledger[0].rows_rated == 0


FULL_AND_SOME = pytest.mark.parametrize("share", [1.0, 0.3])


def ended(network: Network, threads: int = 1) -> dict[str, bytes | int]:
    simulation = network.simulation(threads)
    simulation.advance(END)
    return fingerprint(simulation)


@FULL_AND_SOME
@pytest.mark.parametrize("part", [1, 2, 3, 7, 50])
def test_the_size_of_a_window_does_not_matter(share: float, part: int) -> None:
    network = Network(age_average.merge(), share=share, churn=True)
    simulation = network.simulation()
    simulation._window = simulation.period // part
    simulation.advance(END)
    assert fingerprint(simulation) == ended(network)


@FULL_AND_SOME
@pytest.mark.parametrize("staggered", [True, False])
def test_the_number_of_threads_does_not_matter(share: float, staggered: bool) -> None:
    network = Network(age_average.merge(), share=share, staggered=staggered)
    assert ended(network, 3) == ended(network, 1)


@FULL_AND_SOME
@pytest.mark.parametrize("staggered", [True, False])
def test_many_small_steps_are_one_large_step(share: float, staggered: bool) -> None:
    network = Network(none.merge(), share=share, staggered=staggered, churn=True)
    simulation = network.simulation()
    rng = np.random.default_rng(1)
    for until in sorted(rng.integers(0, END, 150)):
        simulation.advance(int(until))
    simulation.advance(END)
    assert fingerprint(simulation) == ended(network)


def test_one_microsecond_at_a_time_around_an_arrival() -> None:
    network = Network(age_average.merge(), 2, staggered=False)
    simulation = network.simulation()
    for until in range(simulation.period - 3, simulation.period + 3):
        simulation.advance(until)
        assert simulation.node_rounds == (2 if until >= simulation.period else 0)


def test_another_seed_another_result_the_same_seed_the_same() -> None:
    network = Network(age_average.merge(), 10)
    assert ended(network) == ended(network)
    assert ended(network)["rows"] != ended(Network(age_average.merge(), 10, degree=3))["rows"]
