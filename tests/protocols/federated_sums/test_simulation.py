"""A server that adds up ends where sweeps of ALS end."""

from pathlib import Path

import numpy as np
import pytest

from tacit.core.compiled.threads import Workers
from tacit.core.math.als_solver import gram, solve
from tacit.models.ials import ImplicitLeastSquares
from tacit.protocols.federated_sums.simulation import FederatedSumsSimulation
from tacit.simulator import checkpoint as snapshot
from tacit.simulator.churn.sessions import Sessions, always
from tacit.simulator.simulation import Scenario, ticks
from tests.equivalence.networks import FULL, ratings, sessions

TRAIN, PERIOD = ratings(30, 12), ticks(FULL)
MODEL = ImplicitLeastSquares(k=3, w0=0.1, reg=0.3)


def simulation(online: Sessions | None = None, threads: int = 1) -> FederatedSumsSimulation:
    setting = Scenario(MODEL, TRAIN, 7, online or always(), full_seconds=FULL, workers=Workers(threads))
    return FederatedSumsSimulation(setting)


def test_a_round_is_one_sweep() -> None:
    sim = simulation()
    rows = sim.fleet.slots.rows[0].astype(np.float64)
    people = np.zeros((30, 3))
    for u in range(30):
        solve(rows, gram(rows), TRAIN.of(u)[0], 0.1, 0.3, people[u])
    sim.advance(PERIOD)
    for j in range(12):
        those = people[TRAIN.user[TRAIN.item == j]]
        b = those.sum(axis=0)
        left = 0.1 * people.T @ people + np.outer(b, b) / len(those)
        left += 0.3 * np.sqrt(len(those) + 0.1 * 30) * np.eye(3)
        assert sim.fleet.slots.rows[0, j] == pytest.approx(np.linalg.solve(left, b), rel=0.01, abs=2e-3)
    assert sim.node_rounds == 30
    upload = 28 + len(TRAIN.of(0)[0]) * (4 + 2 * 4) + 2 * 6
    assert sim.traffic.bytes[0] == upload


def test_only_clients_who_stay_are_heard() -> None:
    sim = simulation(sessions(30, seed=3))
    sim.advance(4 * PERIOD)
    assert 0 < sim.node_rounds < 4 * 30


def test_threads_and_going_on_do_not_matter(tmp_path: Path) -> None:
    whole, first, second = simulation(), simulation(threads=3), simulation()
    whole.advance(5 * PERIOD)
    first.advance(2 * PERIOD + 3)
    snapshot.write(tmp_path / "state.npz", first.save())
    with snapshot.Reader(tmp_path / "state.npz") as arrays:
        second.restore(arrays)
    second.advance(5 * PERIOD)
    assert second.fleet.slots.rows.tobytes() == whole.fleet.slots.rows.tobytes()
    assert second.fleet.private.tobytes() == whole.fleet.private.tobytes()
    assert second.bytes == whole.bytes
