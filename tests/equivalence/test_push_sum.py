"""There is one implementation of push-sum: a simulated network and real nodes end with the same bits."""

from __future__ import annotations

import numpy as np
import pytest

from tacit.protocols.push_sum.simulation import Conduct, PushSumSimulation
from tacit.protocols.push_sum.state import OUT, SIDE
from tacit.simulator.churn.sessions import Sessions
from tacit.simulator.simulation import ticks
from tacit.testing.memory_sums import MemorySums
from tests.equivalence.networks import FULL
from tests.equivalence.sums import Sums

END = ticks(30.37 * FULL)


def some_leave(users: int) -> Sessions:
    """Three leave for good: one at once, one in the first epoch, one later; one comes late."""
    begin, end = np.zeros(users, np.int64), np.full(users, 2**50)
    end[[2, 9, 5]] = ticks(0.4 * FULL), ticks(5.3 * FULL), ticks(11.2 * FULL)
    begin[7] = ticks(9.9 * FULL)
    return Sessions(np.arange(users + 1), begin, end)


CASES = {
    "plain": Sums(),
    "together": Sums(conduct=Conduct(turns=8, staggered=False)),
    "masks": Sums(conduct=Conduct(turns=12, masks=20.0, partners=3, tolerance=5.0)),
    "loss": Sums(conduct=Conduct(turns=8, loss=0.3)),
    "impatient": Sums(conduct=Conduct(turns=8, loss=0.6, patience=1)),
    "speeds": Sums(conduct=Conduct(turns=8, speeds=1.5)),
    "neighbours": Sums(everybody=False),
    "churn": Sums(churn=True),
    "all at once": Sums(
        conduct=Conduct(turns=10, masks=5.0, partners=2, loss=0.2, speeds=0.7, tolerance=100.0),
        churn=True,
        everybody=False,
    ),
    "by rule": Sums(conduct=Conduct()),
    "ring": Sums(conduct=Conduct(turns=8, ring=True)),
    "ring, together": Sums(conduct=Conduct(masks=5.0, ring=True, staggered=False), users=16),
    "ring, disturbed": Sums(
        conduct=Conduct(turns=6, masks=20.0, loss=0.2, speeds=0.7, tolerance=20.0, ring=True), churn=True
    ),
    "partners away": Sums(conduct=Conduct(turns=6, masks=20.0, loss=0.2, tolerance=20.0), churn=True),
    "partners gone": Sums(
        conduct=Conduct(turns=6, masks=20.0, loss=0.1, tolerance=20.0), online=some_leave(24)
    ),
}


def assert_same(simulation: PushSumSimulation, host: MemorySums) -> None:
    book, tally = simulation.book, simulation.traffic
    for u, node in enumerate(host.nodes):
        for name in (
            "clock",
            "sums",
            "words",
            "heads",
            "rows",
            "private",
            "known",
            "pair",
            "course",
            "ahead",
        ):
            ours, theirs = getattr(book, name)[u], getattr(node.book, name)[0]
            if name == "clock":
                ours, theirs = ours[:5], theirs[:5]  # who is waited for is looked up at the next wake
            assert ours.tobytes() == theirs.tobytes(), f"{name} of node {u}"
        ledger = node.ledger
        assert tally.updates[u] == len(ledger) - host.questions.count(u)
        assert tally.rows[u] == sum(entry.rows for entry in ledger)
        assert tally.rows_rated[u] == sum(entry.rows_rated for entry in ledger)
        assert tally.bytes[u] == sum(entry.bytes for entry in ledger) + 8 * host.answers.count(u)
    assert simulation.node_rounds == sum(node.received for node in host.nodes)
    assert simulation.messages == len(host.wire)
    assert simulation.bytes == sum(len(data) for _, _, _, data in host.wire) + host.answer_bytes


@pytest.mark.parametrize("case", CASES)
def test_simulated_and_real_nodes_end_with_the_same_bits(case: str) -> None:
    network = CASES[case]
    simulation, host = network.simulation(), network.host()
    simulation.advance(END)
    host.run(END)
    assert_same(simulation, host)
    assert simulation.costs()["read_outs"] > 0 or case in ("churn", "all at once", "by rule", "impatient")
    if case.startswith("partners"):
        outside = (simulation.book.pair[:, :, SIDE] == OUT) & (simulation.book.partner >= 0)
        assert outside.any()
        assert len(host.questions) > 0
    if case in ("loss", "impatient", "all at once", "churn"):
        assert simulation.node_rounds < 0.95 * simulation.messages


def bits(simulation: PushSumSimulation) -> list[bytes]:
    return [array.tobytes() for array in (*simulation.book, simulation.traffic.bytes)]


@pytest.mark.parametrize("case", ["plain", "all at once", "partners away", "ring, disturbed"])
def test_neither_threads_nor_windows_nor_steps_matter(case: str) -> None:
    network = CASES[case]
    whole = network.simulation()
    whole.advance(END)
    threads = network.simulation(3)
    threads.advance(END)
    small = network.simulation()
    small._window = small.period // 7
    for until in sorted(np.random.default_rng(1).integers(0, END, 40)):
        small.advance(int(until))
    small.advance(END)
    assert bits(threads) == bits(whole)
    assert bits(small) == bits(whole)
