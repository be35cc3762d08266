"""A federation of Flower clients ends with the same shared model as the simulator, with everybody in every round."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("flwr", reason="the extra `flower` is not installed")

from tacit.experiment.prepare import prepare
from tests.interop.flower.grid import simulate, write

SMALL = {"data.users": 24, "data.items": 60, "data.interactions": 700}
WORDS = ("--data", "synthetic", *(word for key, n in SMALL.items() for word in ("--set", f"{key}={n}")))


def simulated(recipe: str, seed: int, rounds: int, **chosen: object) -> np.ndarray:
    """The server's rows after so many rounds of the simulator."""
    x = prepare(recipe, "synthetic", {**SMALL, **chosen}, seed)
    simulation = x.protocol.build(x.scenario())
    simulation.advance(rounds * simulation.period)
    return np.array(simulation.fleet.slots.rows[0])


@pytest.mark.parametrize("recipe", ["hegedus/federated", "hegedus/federated-10", "tacit/federated"])
def test_the_same_bits_as_the_simulator(recipe: str, tmp_path: Path) -> None:
    project = write(tmp_path, recipe, *WORDS, "--seed", "3")
    _, state, _ = simulate(project, 24, 4)
    assert np.array_equal(state.rows, simulated(recipe, 3, 4))


def test_organizations_that_add_statistics_up_change_nothing(tmp_path: Path) -> None:
    project = write(tmp_path, "tacit/federated", *WORDS, "--clients", "5", "--seed", "3")
    _, state, _ = simulate(project, 5, 4)
    assert np.array_equal(state.rows, simulated("tacit/federated", 3, 4))


@pytest.mark.parametrize("recipe", ["hegedus/federated", "pepper/fedavg"])
def test_organizations_differ_by_rounding_only(recipe: str, tmp_path: Path) -> None:
    project = write(tmp_path, recipe, *WORDS, "--clients", "5", "--seed", "3")
    _, state, _ = simulate(project, 5, 4)
    assert np.allclose(state.rows, simulated(recipe, 3, 4), rtol=0, atol=2e-6)


def test_federated_averaging_has_the_bits_of_the_simulator(tmp_path: Path) -> None:
    project = write(tmp_path, "pepper/fedavg", *WORDS, "--seed", "3")
    _, state, _ = simulate(project, 24, 3)
    assert np.array_equal(state.rows, simulated("pepper/fedavg", 3, 3))


@pytest.mark.parametrize("recipe", ["fpl/sfpl", "fpl/pfpl", "fpl/pfpl+", "federank/t1", "federank/tx"])
def test_pairs_are_those_of_the_simulator(recipe: str, tmp_path: Path) -> None:
    chosen = (
        "--set",
        "data.min_user=5",
        "--set",
        "rounds_per_epoch=6",
        "--set",
        "epochs=1",
        "--set",
        "pi=0.5",
    )
    project = write(tmp_path, recipe, *WORDS, *chosen, "--seed", "3")
    clients = len(list((project / "clients").glob("*.csv")))
    _, state, _ = simulate(project, clients, 6)
    want = simulated(recipe, 3, 1, **{"data.min_user": 5, "rounds_per_epoch": 6, "epochs": 1, "pi": 0.5})
    assert np.allclose(state.rows, want, rtol=0, atol=1e-6)
    assert np.abs(state.rows).max() > 0
