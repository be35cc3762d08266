"""The server's step against the gradient of the whole loss, written out densely."""

import numpy as np
import pytest

from tacit.core.compiled.threads import Workers
from tacit.core.interactions import Interactions
from tacit.models.fcf import FederatedFiltering
from tacit.protocols.fcf.simulation import FcfSimulation
from tacit.simulator.churn.sessions import always
from tacit.simulator.simulation import Scenario

HAS = np.array([[1, 1, 0, 0, 1], [1, 1, 1, 0, 0], [0, 1, 1, 0, 0], [0, 0, 0, 1, 1]], float)
TABLE = Interactions.from_pairs(*np.nonzero(HAS), users=4, items=5)
MODEL = FederatedFiltering(k=2, alpha=3.0, lam=0.5, lr=0.1)
CONFIDENCE = 1 + 3.0 * HAS


def loss(x: np.ndarray, y: np.ndarray) -> float:
    return float((CONFIDENCE * (HAS - x @ y.T) ** 2).sum() + 0.5 * ((x**2).sum() + (y**2).sum()))


def simulation() -> FcfSimulation:
    return FcfSimulation(Scenario(MODEL, TABLE, 0, always(), dtype="float64", workers=Workers(1)))


def test_the_first_step_goes_against_the_gradient_of_every_row() -> None:
    sim = simulation()
    y = sim.fleet.slots.rows[0].copy()
    sim.advance(sim.period)
    x = np.array(
        [
            np.linalg.solve(y.T @ (c[:, None] * y) + 0.5 * np.eye(2), y.T @ (c * h))
            for c, h in zip(CONFIDENCE, HAS, strict=True)
        ]
    )
    gradient = np.zeros_like(y)
    for place in np.ndindex(*y.shape):
        step = np.zeros_like(y)
        step[place] = 1e-6
        gradient[place] = (loss(x, y + step) - loss(x, y - step)) / 2e-6
    # Adam's first step is the learning rate in the direction of each sign.
    assert sim.fleet.slots.rows[0] == pytest.approx(y - 0.1 * np.sign(gradient), abs=1e-6)


def test_the_loss_falls_and_costs_are_whole_models() -> None:
    sim = simulation()
    sim.advance(sim.period)
    before = loss(sim.fleet.private, sim.fleet.slots.rows[0])
    sim.advance(60 * sim.period)
    assert loss(sim.fleet.private, sim.fleet.slots.rows[0]) < 0.7 * before
    assert sim.costs()["cce"] == 2 * 4 * 5
    assert sim.messages == 2 * 4 * 60
