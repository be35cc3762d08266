"""Samplers and shields of somebody's own: simulated and real nodes still end with the same bits, and send the same."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

from tacit.core.compiled.compiling import kernel
from tacit.core.errors import BadInput
from tacit.core.interactions import Positions
from tacit.core.message.update import Draws, Shield, Update, reshape
from tacit.core.rng import Stream, below
from tacit.merges import age_average
from tacit.models.gmf import GeneralizedMatrixFactorization as Gmf
from tacit.peer_sampling.base import Pick
from tacit.privacy.disclosure import Disclosure
from tacit.privacy.known import Known
from tacit.simulator import checkpoint as snapshot
from tacit.testing import check_sampler, check_shield
from tests.equivalence.networks import Network, fingerprint
from tests.equivalence.test_gossip import END, assert_same, ended

_STREAM = Stream.PEERS


@kernel
def nearby(seed: int, node: int, event: int, candidates: int, shape: float) -> int:
    """Among the first `shape` of the candidates, except now and then."""
    few = max(1, int(shape * candidates))
    return below(seed, _STREAM, node, event, 1, candidates if event % 5 == 0 else few)


@dataclass(frozen=True)
class Nearby:
    """A sampler with a number of its own."""

    shape: float = 0.4
    pick: Pick = nearby
    name: ClassVar[str] = "nearby"


@dataclass(frozen=True)
class Halved:
    """A shield that changes every number and leaves out every third row."""

    def apply(self, update: Update, rated: Positions, draws: Draws) -> Update:
        keep = (np.arange(len(update.rows)) + draws.event) % 3 > 0
        index = np.arange(update.items, dtype=np.int32) if update.index is None else update.index
        return reshape(
            update,
            index=index[keep],
            rows=update.rows[keep] / 2,
            ages=update.ages[keep],
            dense=update.dense / 2,
        )


@dataclass(frozen=True)
class Coarse:
    """A shield that sends every row, with fewer digits."""

    def apply(self, update: Update, rated: Positions, draws: Draws) -> Update:
        return reshape(update, rows=np.round(update.rows, 1))


SHIELDS: dict[str, tuple[Shield, ...]] = {
    "coarse": (Coarse(),),
    "halved": (Halved(),),
    "hidden": (Disclosure(0.3),),
    "known, then coarse": (Known(), Coarse()),
}
NETWORK = Network(age_average.merge(), users=20, churn=True)


def test_they_hold_what_parts_have_to_hold() -> None:
    check_sampler(Nearby(), uniform=False)
    for shield in (Coarse(), Halved()):
        check_shield(shield)


@pytest.mark.parametrize("share", [1.0, 0.5])
@pytest.mark.parametrize("shields", SHIELDS)
def test_shields(shields: str, share: float) -> None:
    network = replace(NETWORK, shields=SHIELDS[shields], share=share)
    simulation, host = network.simulation(), network.host()
    simulation.advance(END)
    host.run(END)
    assert simulation.node_rounds > 20
    assert_same(simulation, host)
    assert fingerprint(simulation)["rows"] != ended(replace(network, shields=()))["rows"]


def test_a_dense_part_passes_them_too() -> None:
    network = replace(NETWORK, model=Gmf(k=2), shields=(Halved(),))
    simulation, host = network.simulation(), network.host()
    simulation.advance(END)
    host.run(END)
    assert_same(simulation, host)
    for u, node in enumerate(host.nodes):
        assert simulation.fleet.node(u).dense.tobytes() == node.state.dense.tobytes()


@pytest.mark.parametrize("everybody", [False, True])
def test_samplers(everybody: bool) -> None:
    network = replace(NETWORK, sampler=Nearby(), everybody=everybody, churn=not everybody)
    simulation, host = network.simulation(), network.host()
    simulation.advance(END)
    host.run(END)
    assert_same(simulation, host)
    others = [ended(replace(network, sampler=sampler))["rows"] for sampler in (Nearby(0.9), NETWORK.sampler)]
    assert len({fingerprint(simulation)["rows"], *others}) == 3, "the sampler matters, and so does its number"


def test_threads_windows_and_pauses_do_not_matter(tmp_path: Path) -> None:
    network = replace(NETWORK, sampler=Nearby(), shields=(Halved(),))
    straight = ended(network)
    assert ended(network, threads=3) == straight
    narrow, first, second = (network.simulation() for _ in range(3))
    narrow._window = narrow.period // 3
    narrow.advance(END)
    assert fingerprint(narrow) == straight
    first.advance(END // 2)
    snapshot.write(tmp_path / "state.npz", first.save())
    with snapshot.Reader(tmp_path / "state.npz") as arrays:
        second.restore(arrays)
    second.advance(END)
    assert fingerprint(second) == straight


@dataclass(frozen=True)
class Narrow:
    """A broken shield: rows lose a number."""

    def apply(self, update: Update, rated: Positions, draws: Draws) -> Update:
        return reshape(update, rows=update.rows[:, :-1])


def test_a_shield_that_makes_another_model_is_refused() -> None:
    simulation = replace(NETWORK, shields=(Narrow(),)).simulation()
    with pytest.raises(BadInput, match=r"^shield Narrow: model \(items, width, dense, numbers\): got"):
        simulation.advance(END)
