"""Ensembles in the simulator: who trusts everybody is plain gossip; who does not is safe from spam."""

import numpy as np
import pytest

from tacit.core.compiled.threads import Workers
from tacit.core.interactions import Interactions
from tacit.experiment.prepare import prepare
from tacit.experiment.result import Result
from tacit.merges.age_average import AgeAverage
from tacit.models.mf import MatrixFactorization
from tacit.peer_sampling.graphs import complete
from tacit.protocols.ensemble.kernels import EMPTY, Trust
from tacit.protocols.ensemble.simulation import EnsembleSimulation, choose_spammers
from tacit.protocols.gossip.simulation import GossipSimulation
from tacit.simulator import checkpoint as snapshot
from tacit.simulator.churn.sessions import always
from tacit.simulator.simulation import Scenario
from tests.experiment.running import run

TRUST = Trust(size=3, beta=0.2, margin=0.5, floor=0.1, classes=0)
TRAIN = Interactions.from_pairs(
    np.repeat(np.arange(12), 4), (np.arange(48) * 7) % 20, 1 + np.arange(48) % 5, users=12, items=20
)


def setting(threads: int = 1) -> Scenario:
    return Scenario(
        MatrixFactorization(k=2),
        TRAIN,
        5,
        always(),
        full_seconds=10,
        workers=Workers(threads),
        init_data=True,
    )


def ensemble(trust: Trust = TRUST, spam: float = 0.25, threads: int = 1) -> EnsembleSimulation:
    return EnsembleSimulation(
        setting(threads), AgeAverage(), complete(12), trust, spam=choose_spammers(12, spam, 5)
    )


def bits(sim: GossipSimulation) -> bytes:
    fleet = sim.fleet
    return fleet.slots.rows[fleet.slot].tobytes() + fleet.private.tobytes()


def test_who_keeps_no_ensemble_and_meets_no_spam_is_plain_gossip_bit_for_bit() -> None:
    plain, trusting = (
        GossipSimulation(setting(), AgeAverage(), complete(12)),
        ensemble(TRUST._replace(size=0), 0.0),
    )
    for sim in (plain, trusting):
        sim.advance(12 * sim.period)
    assert bits(plain) == bits(trusting)
    assert plain.bytes == trusting.bytes


def test_threads_do_not_matter() -> None:
    one, two = ensemble(), ensemble(threads=2)
    for sim in (one, two):
        sim.advance(12 * sim.period)
    assert bits(one) == bits(two)


def test_goes_on_after_a_pause_with_the_same_bits(tmp_path) -> None:  # type: ignore[no-untyped-def]
    whole, first, second = ensemble(), ensemble(), ensemble()
    whole.advance(9 * whole.period)
    first.advance(4 * first.period)
    snapshot.write(tmp_path / "state.npz", first.save())
    with snapshot.Reader(tmp_path / "state.npz") as arrays:
        second.restore(arrays)
    second.advance(9 * second.period)
    assert bits(second) == bits(whole)
    assert second._ensembles.weight.tobytes() == whole._ensembles.weight.tobytes()


def test_spammers_are_as_many_as_asked_for_and_do_not_count() -> None:
    sim = ensemble()
    assert sim.counted.sum() == 9
    before = sim.fleet.node(int(np.flatnonzero(~sim.counted)[0])).rows.copy()
    sim.advance(8 * sim.period)
    assert np.array_equal(sim.fleet.node(int(np.flatnonzero(~sim.counted)[0])).rows, before), (
        "they do not learn"
    )


SMALL = {
    "data.users": 80,
    "data.items": 60,
    "data.interactions": 3000,
    "split.n": 5,
    "data.seed": 3,
    "rounds": 30,
}


def error(**more: object) -> Result:
    return run(prepare("dymbe/ensemble", "synthetic", {**SMALL, **more}), threads=1)


@pytest.mark.parametrize("model", ["bias", "mf"])
def test_quality_does_not_collapse_with_spam_as_it_does_when_everything_is_merged(model: str) -> None:
    def rmse(size: int, spam: float) -> float:
        return error(model=model, spam=spam, **{"ensemble.size": size, "spam.size": 3}).metrics["rmse"]

    quiet, judged, merged = rmse(5, 0.0), rmse(5, 0.3), rmse(0, 0.3)
    assert rmse(0, 0.0) == pytest.approx(quiet, abs=0.02), "judging costs little where nobody spams"
    assert judged < quiet + 0.05
    assert merged > judged + 0.2


def test_spammers_lose_their_weight() -> None:
    sim = ensemble(TRUST._replace(size=4), 0.25)
    sim.advance(30 * sim.period)
    members, spam = sim._ensembles, ~sim.counted
    of_spam = (members.peer != EMPTY) & spam[members.peer]
    honest = (members.peer != EMPTY) & ~spam[members.peer]
    mine = sim.counted[:, None]
    weight = members.weight[:, 1:]
    assert (honest & mine).sum() > 3 * (of_spam & mine).sum()
    assert weight[of_spam & mine].sum() < 0.1 * weight[honest & mine].sum()
