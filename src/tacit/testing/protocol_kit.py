"""What is expected of a protocol: simulations that are seeded, count what is sent, and go on where they stopped."""

from __future__ import annotations

import tempfile
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tacit.core.compiled.threads import Workers
from tacit.core.interactions import Interactions
from tacit.core.registry import construct
from tacit.core.rng import Stream, uniforms
from tacit.core.settings import flatten
from tacit.experiment.run_settings import settle
from tacit.models.base import Model
from tacit.models.mf import MatrixFactorization
from tacit.protocols.base import Protocol
from tacit.simulator.checkpoint import Reader, write
from tacit.simulator.churn.sessions import always
from tacit.simulator.simulation import Scenario, Simulation
from tacit.testing.expect import expect, expect_part, kit

_USERS, _ITEMS, _ROUNDS = 8, 20, 6


def small_scenario(model: Model | None = None, threads: int = 1, seed: int = 3) -> Scenario:
    """Eight people who rated about a third of twenty items."""
    draws = uniforms(5, Stream.SYNTHETIC, 0, _USERS, 2 * _ITEMS)
    who, what = np.nonzero(draws[:, :_ITEMS] < 0.35)
    value = np.floor(draws[who, _ITEMS + what] * 5) + 1
    train = Interactions.from_pairs(who, what, value, users=_USERS, items=_ITEMS)
    return Scenario(model or MatrixFactorization(k=2), train, seed, always(), workers=Workers(threads))


@kit
def check_protocol(protocol: Protocol, model: Model | None = None) -> None:
    """Check a protocol on a small scenario; `model`: one that it can learn with, where that is not `mf`."""
    expect_part("protocol", protocol)
    name = f"protocol {protocol.name}"
    frozen = is_dataclass(protocol) and type(protocol).__dataclass_params__.frozen
    expect(frozen, f"{name} is no frozen dataclass; its fields are its settings")
    expect(isinstance(protocol.about, str) and protocol.about, f"{name}: about is empty; say what it is")
    owner: Any = protocol
    undeclared = [one.name for one in fields(owner) if one.init and "help" not in one.metadata]
    expect(not undeclared, f"{name}: {undeclared} have no help; declare them with setting()")
    expect(construct(type(protocol), flatten(protocol)) == protocol, f"{name} is not made of its settings")
    scenario = small_scenario(model)
    protocol.check(scenario, {**settle({}, {"evaluate": "sampled"}), **flatten(protocol)})
    expect(protocol.memory(scenario.model, scenario.train, 4) > 0, f"{name}: memory says it needs none")
    straight, again = (protocol.build(scenario) for _ in range(2))
    expect(straight.now == -1, f"{name}: starts at {straight.now}; allowed: -1, before anything has happened")
    expect(straight.period > 0, f"{name}: a round takes {straight.period}; allowed: more than 0")
    end = _ROUNDS * straight.period
    straight.advance(end)
    expect(straight.now == end, f"{name}: advance({end}) ends at {straight.now}")
    for part in range(1, 4):
        again.advance(end * part // 3)
    expect(_bits(straight) == _bits(again), f"{name}: in three steps it ends with other bits than in one")
    more = protocol.build(small_scenario(model, threads=2))
    more.advance(end)
    expect(_bits(straight) == _bits(more), f"{name}: with two threads it ends with other bits than with one")
    counts = straight.traffic
    expect(
        len(counts.bytes) == _USERS, f"{name}: traffic is of {len(counts.bytes)} users; there are {_USERS}"
    )
    expect((counts.rows_rated <= counts.rows).all(), f"{name}: more rows with own ratings left than rows")
    expect(straight.bytes >= counts.bytes.sum(), f"{name}: bytes are fewer than what users sent")
    _check_going_on(name, protocol, scenario, straight, end)


def _check_going_on(
    name: str, protocol: Protocol, scenario: Scenario, straight: Simulation, end: int
) -> None:
    stopped, resumed = protocol.build(scenario), protocol.build(scenario)
    stopped.advance(end // 2)
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder) / "state.npz", stopped.save())
        with Reader(Path(folder) / "state.npz") as arrays:
            resumed.restore(arrays)
    resumed.advance(end)
    expect(_bits(straight) == _bits(resumed), f"{name}: restored in the middle it ends with other bits")


def _bits(simulation: Simulation) -> tuple[Any, ...]:
    fleet = simulation.fleet
    slots, at = fleet.slots, fleet.slot
    models = (slots.rows[at], slots.ages[at], slots.dense[at], slots.clock[at], fleet.private)
    models = (*models, simulation.traffic.stack())  # type: ignore[assignment]
    counted = (simulation.messages, simulation.bytes, simulation.node_rounds)
    return *(array.tobytes() for array in models), *counted
