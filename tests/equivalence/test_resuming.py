"""Saved at any instant, read back into a fresh simulation, and continued: the same bits as never stopped."""

from __future__ import annotations

from pathlib import Path

import pytest

from tacit.core.compiled.threads import Workers
from tacit.merges import age_average
from tacit.models.mf import MatrixFactorization
from tacit.protocols.centralized.simulation import CentralSimulation
from tacit.protocols.federated.simulation import FederatedSimulation
from tacit.simulator import checkpoint as snapshot
from tacit.simulator.churn.sessions import always
from tacit.simulator.simulation import Scenario, Simulation, ticks
from tests.equivalence.networks import FULL, Network, fingerprint, ratings, sessions


def setting(churn: bool = False) -> Scenario:
    online = sessions(30) if churn else always()
    return Scenario(
        MatrixFactorization(k=3, eta=0.05), ratings(30, 20), 3, online, full_seconds=FULL, workers=Workers(1)
    )


def make(kind: str) -> Simulation:
    if kind.startswith("gossip"):
        share = 0.3 if "10" in kind else 1.0
        return Network(age_average.merge(), 30, share=share, churn="churn" in kind).simulation()
    if kind == "central":
        return CentralSimulation(setting())
    return FederatedSimulation(setting("churn" in kind), share=0.3 if "10" in kind else 1.0)


@pytest.mark.parametrize("kind", ["gossip", "gossip-10", "gossip-churn", "gossip-10-churn"])
@pytest.mark.parametrize("at", [0.0, 0.51, 2.0, 3.33])
def test_gossip(kind: str, at: float, tmp_path: Path) -> None:
    check(kind, at, tmp_path)


@pytest.mark.parametrize("kind", ["federated", "federated-10", "federated-10-churn"])
@pytest.mark.parametrize("at", [0.0, 0.51, 1.0, 1.15, 2.0, 3.33])
def test_federated_in_the_middle_of_a_round_too(kind: str, at: float, tmp_path: Path) -> None:
    check(kind, at, tmp_path)


@pytest.mark.parametrize("at", [0.0, 1.0, 2.5])
def test_central(at: float, tmp_path: Path) -> None:
    check("central", at, tmp_path)


def check(kind: str, at: float, folder: Path) -> None:
    end = ticks(6.2 * FULL)
    whole, first, second = make(kind), make(kind), make(kind)
    whole.advance(end)
    first.advance(ticks(at * FULL))
    kept = fingerprint(first)
    snapshot.write(folder / "state.npz", first.save())
    with snapshot.Reader(folder / "state.npz") as arrays:
        second.restore(arrays)
    assert fingerprint(second) == kept
    assert second.now == ticks(at * FULL)
    for simulation in (first, second):  # saving disturbs nothing either
        simulation.advance(end)
        assert fingerprint(simulation) == fingerprint(whole)
    assert whole.node_rounds > 0


def test_saved_twice_in_a_row_and_moved_on_in_between(tmp_path: Path) -> None:
    whole = make("gossip-churn")
    whole.advance(ticks(6 * FULL))
    for at in (1.1, 2.2, 4.9):
        simulation = make("gossip-churn")
        if at > 1.1:
            with snapshot.Reader(tmp_path / "state.npz") as arrays:
                simulation.restore(arrays)
        simulation.advance(ticks(at * FULL))
        snapshot.write(tmp_path / "state.npz", simulation.save())
    simulation.advance(ticks(6 * FULL))
    assert fingerprint(simulation) == fingerprint(whole)
