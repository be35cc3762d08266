"""Clients are independent: alone or in a crowd, in one thread or three, in small steps or one."""

from __future__ import annotations

import numpy as np
import pytest

from tacit.core.compiled.threads import Workers
from tacit.core.interactions import Interactions
from tacit.core.node_state import NodeArrays, Ratings
from tacit.models.mf import MatrixFactorization
from tacit.models.training import training
from tacit.protocols.centralized.simulation import CentralSimulation
from tacit.protocols.federated.simulation import FederatedSimulation
from tacit.simulator.churn.sessions import always
from tacit.simulator.simulation import Scenario, Simulation, ticks
from tests.equivalence.networks import FULL, fingerprint, ratings, sessions

MODEL = MatrixFactorization(k=3, eta=0.05)
END = ticks(7.3 * FULL)


def setting(train: Interactions, threads: int = 1, churn: bool = False) -> Scenario:
    online = sessions(train.users) if churn else always()
    return Scenario(MODEL, train, 3, online, epochs=2, full_seconds=FULL, workers=Workers(threads))


def alone(train: Interactions, user: int) -> Interactions:
    """The users up to `user`, all but the last without data: node numbers stay as they are."""
    kept = train.take(train.user == user)
    return Interactions(kept.start[: user + 2], kept.item, kept.value, None, kept.order, kept.items)


def test_a_client_alone_learns_what_it_learns_in_a_crowd() -> None:
    train = ratings(20, 15)
    crowd = FederatedSimulation(setting(train), share=0.4)
    crowd.advance(ticks(FULL))
    for user in (0, 7, 19):
        single = FederatedSimulation(setting(alone(train, user)), share=0.4)
        single.advance(ticks(FULL))
        assert single.fleet.private[user].tobytes() == crowd.fleet.private[user].tobytes()


def test_a_federation_of_one_is_a_device_that_trains_and_sends_its_difference() -> None:
    train = ratings(1, 15)
    simulation = FederatedSimulation(setting(train))
    items, values = train.of(0)
    rows = simulation.fleet.slots.rows[0].copy()
    private = simulation.fleet.private[0].copy()
    train_own = training(MODEL).train
    for turn in range(3):
        local, ages, dense = rows.copy(), np.zeros(15, np.int32), np.zeros(0, np.float32)
        node = NodeArrays(local, ages, dense, private, private[:0])
        train_own(node, Ratings(items, values), 2, (3, 0, turn), MODEL.hyper())
        rows += local - rows  # one client: the mean of the differences is its own
    simulation.advance(3 * simulation.period)
    assert simulation.fleet.slots.rows[0].tobytes() == rows.tobytes()
    assert simulation.fleet.private[0].tobytes() == private.tobytes()


KINDS = {
    "federated": lambda s: FederatedSimulation(s),
    "federated-10": lambda s: FederatedSimulation(s, share=0.1),
    "central": lambda s: CentralSimulation(s),
}


def ended(kind: str, threads: int, churn: bool, steps: int = 1) -> dict[str, bytes | int]:
    simulation: Simulation = KINDS[kind](setting(ratings(30, 40), threads, churn))
    for step in range(1, steps + 1):
        simulation.advance(END * step // steps)
    assert simulation.node_rounds > 0
    return fingerprint(simulation)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("churn", [False, True])
def test_neither_threads_nor_steps_matter(kind: str, churn: bool) -> None:
    once = ended(kind, 1, churn)
    assert ended(kind, 3, churn) == once
    assert ended(kind, 1, churn, steps=97) == once
