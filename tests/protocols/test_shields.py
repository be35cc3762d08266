"""Every protocol with every shield: it works, or the protocol says why not."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

from tacit.core.errors import BadInput
from tacit.core.interactions import Positions
from tacit.core.message.update import Draws, Shield, Update, reshape
from tacit.core.registry import offered
from tacit.core.settings import settings_of
from tacit.models.gmf import GeneralizedMatrixFactorization
from tacit.models.mf import MatrixFactorization
from tacit.privacy.disclosure import Disclosure
from tacit.simulator.simulation import Simulation
from tacit.testing.protocol_kit import small_scenario

PROTOCOLS: dict[str, Any] = offered("tacit.protocols", "protocol")
SHIELDS: dict[str, Any] = offered("tacit.privacy", "shield")
SHIELDED = [name for name, one in PROTOCOLS.items() if "shield" in settings_of(one)]
WHOLE = {"view-gossip"}
"""Protocols whose models have to leave as a whole."""


@dataclass(frozen=True)
class Same:
    """Goes through the door and changes nothing."""

    def apply(self, update: Update, rated: Positions, draws: Draws) -> Update:
        return update


@dataclass(frozen=True)
class Halves:
    """Keeps every row, and makes its numbers coarser."""

    def apply(self, update: Update, rated: Positions, draws: Draws) -> Update:
        return reshape(update, rows=(np.round(update.rows * 2) / 2).astype(update.rows.dtype))


def run(name: str, shield: Shield | None, **more: Any) -> Simulation:
    model = GeneralizedMatrixFactorization(k=2) if name in ("federated-averaging", "view-gossip") else None
    if name == "clusters":
        more["size"] = 2
    protocol = PROTOCOLS[name](**more, **({} if shield is None else {"shield": shield}))
    simulation: Simulation = protocol.build(small_scenario(model or MatrixFactorization(k=2)))
    simulation.advance(6 * simulation.period)
    return simulation


def bits(simulation: Simulation) -> tuple[Any, ...]:
    fleet, sent = simulation.fleet, simulation.traffic
    rows = (fleet.slots.rows[fleet.slot], fleet.slots.dense[fleet.slot], fleet.private, sent.stack())
    return *(array.tobytes() for array in rows), simulation.bytes, simulation.messages


def test_every_protocol_takes_shields_or_says_why_not() -> None:
    assert {"gossip", "clusters", "federated", "federated-averaging", "view-gossip"} <= set(SHIELDED)
    for name, one in PROTOCOLS.items():
        assert (name in SHIELDED) != bool(one.no_shield), f"{name}: a shield, or a reason, and not both"


@pytest.mark.parametrize("share", [1.0, 0.4])
@pytest.mark.parametrize("name", SHIELDED)
def test_the_door_alone_changes_neither_bits_nor_bytes(name: str, share: float) -> None:
    more = {"subsample": share} if "subsample" in settings_of(PROTOCOLS[name]) else {}
    if share < 1 and not more:
        pytest.skip("has no subsampling")
    same, plain = run(name, Same(), **more), run(name, None, **more)
    assert bits(same) == bits(plain)


@pytest.mark.parametrize("shield", sorted(SHIELDS))
@pytest.mark.parametrize("name", SHIELDED)
def test_every_shield_with_every_protocol(name: str, shield: str) -> None:
    if name in WHOLE and shield in ("disclosure", "known", "subsample"):
        with pytest.raises(BadInput, match=r"^shield: got .* rows; allowed: one that lets all rows out"):
            run(name, SHIELDS[shield]())
        return
    found, plain = run(name, SHIELDS[shield]()), run(name, None)
    assert found.messages == plain.messages
    assert found.bytes > 0
    assert (found.traffic.rows <= plain.traffic.rows).all()


@pytest.mark.parametrize("name", SHIELDED)
def test_what_a_shield_does_to_numbers_is_what_arrives(name: str) -> None:
    found, plain = run(name, Halves()), run(name, None)
    assert found.traffic.rows.tolist() == plain.traffic.rows.tolist()
    assert bits(found) != bits(plain)


@pytest.mark.parametrize(
    "name", sorted(set(SHIELDED) - WHOLE - {"clusters"})
)  # there agents send, not people
def test_a_row_that_is_hidden_is_in_no_message(name: str) -> None:
    found = run(name, Disclosure(pi=0.0))
    assert found.traffic.rows_rated.sum() == 0
    assert found.traffic.rows.sum() > 0 or name == "federated"


def test_a_client_that_hides_everything_teaches_the_server_nothing() -> None:
    scenario = small_scenario()
    protocol = PROTOCOLS["federated"](shield=Disclosure(pi=0.0))
    simulation = protocol.build(scenario)
    before = simulation.fleet.slots.rows.copy()
    simulation.advance(3 * simulation.period)
    assert np.array_equal(before, simulation.fleet.slots.rows)
    plain = replace(protocol, shield=Same()).build(scenario)
    plain.advance(3 * plain.period)
    assert not np.array_equal(before, plain.fleet.slots.rows)
