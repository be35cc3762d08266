"""Federated averaging of whole models against plain Python, and what FedFast adds."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from tacit.core.compiled.threads import Workers
from tacit.core.message import codec
from tacit.core.node_state import NodeArrays, Ratings
from tacit.experiment.prepare import prepare
from tacit.models.gmf import GeneralizedMatrixFactorization as Gmf
from tacit.models.gmf import init_private, init_rows, learn
from tacit.protocols.federated_averaging.simulation import AveragingSimulation, Server
from tacit.simulator import checkpoint as snapshot
from tacit.simulator.churn.sessions import always
from tacit.simulator.simulation import Scenario
from tests.equivalence.networks import FULL, fingerprint, ratings

MODEL = Gmf(k=3, lr=0.3)


def simulation(server: Server, threads: int = 1, users: int = 70, model: Gmf = MODEL) -> AveragingSimulation:
    train = ratings(users, 25)
    setting = Scenario(model, train, 7, always(), full_seconds=FULL, workers=Workers(threads))
    return AveragingSimulation(setting, server, train)


def after(server: Server, rounds: int, threads: int = 1) -> AveragingSimulation:
    made = simulation(server, threads)
    made.advance(rounds * made.period)
    return made


@pytest.mark.parametrize("by_samples", [True, False])
def test_rounds_are_those_of_plain_python(by_samples: bool) -> None:
    found = after(Server(by_samples=by_samples), 3)
    train, hyper = ratings(70, 25), MODEL.hyper()
    rows, dense = np.zeros((25, 3), np.float32), np.zeros(3, np.float32)
    init_rows(7, 0, rows, dense, hyper)
    private = np.zeros((70, 3), np.float32)
    for u in range(70):
        init_private(7, u, private[u], hyper)
    weight = train.counts / train.counts.sum() if by_samples else np.full(70, 1 / 70)
    for turn in range(3):
        moved, bent = np.zeros((25, 3)), np.zeros(3)
        for u in range(70):
            mine, own = rows.copy(), dense.copy()
            learn(
                NodeArrays(mine, np.zeros(25, np.int32), own, private[u], None),
                Ratings(*train.of(u)),
                (7, u, turn),
                hyper,
            )
            moved += weight[u] * (mine - rows)
            bent += weight[u] * (own - dense)
        rows, dense = (rows + moved).astype(np.float32), (dense + bent).astype(np.float32)
    state = found.fleet.node(0)
    assert state.rows == pytest.approx(rows, abs=1e-5)
    assert state.dense == pytest.approx(dense, abs=1e-5)
    assert found.fleet.private == pytest.approx(private, abs=1e-5)


@pytest.mark.parametrize(
    "server", [Server(), Server(clusters=4, participation=0.3), Server(local=True, step=0.5)]
)
def test_the_number_of_threads_does_not_matter(server: Server) -> None:
    assert fingerprint(after(server, 3, 3)) == fingerprint(after(server, 3))


@pytest.mark.parametrize("server", [Server(clusters=4, participation=0.3), Server(local=True, step=0.5)])
def test_a_run_goes_on_where_it_was_saved(server: Server, tmp_path: Path) -> None:
    first, second = after(server, 2), simulation(server)
    snapshot.write(tmp_path / "state.npz", first.save())
    with snapshot.Reader(tmp_path / "state.npz") as arrays:
        second.restore(arrays)
    second.advance(4 * second.period)
    assert fingerprint(second) == fingerprint(after(server, 4))


def test_fedfast_asks_evenly_and_moves_the_others_with_their_cluster() -> None:
    made = simulation(Server(clusters=5, participation=0.2))
    asked, label = made._choose(0)
    assert len(asked) == 14
    sizes, chosen = np.bincount(label, minlength=5), np.bincount(label[asked], minlength=5)
    fair = np.sort(np.minimum(sizes, chosen.max()))
    assert (chosen[sizes >= 3] >= chosen.max() - 1).all(), (sizes, chosen, fair)
    before = made.fleet.private.copy()
    made.advance(made.period)
    moved = made.fleet.private - before
    for cluster in range(5):
        mine = asked[label[asked] == cluster]
        others = np.setdiff1d(np.flatnonzero(label == cluster), mine)
        if len(mine) and len(others):
            assert moved[others] == pytest.approx(
                np.tile(moved[mine].mean(axis=0), (len(others), 1)), abs=1e-6
            )


def test_only_fedfast_sends_user_vectors() -> None:
    plain, fast = after(Server(), 1), after(Server(clusters=2), 1)
    assert fast.bytes - plain.bytes == 2 * 70 * 3 * 4


def test_reptile_shows_a_model_part_of_the_way_to_the_fine_tuned_one() -> None:
    server, whole, half, none = (
        after(Server(local=local, step=step), 2).fleet
        for local, step in ((False, 1.0), (True, 1.0), (True, 0.5), (True, 0.0))
    )
    for u in (0, 5):
        start, tuned = server.node(u).rows, whole.node(u).rows
        assert (start != tuned).any()
        assert half.node(u).rows == pytest.approx((start + tuned) / 2, abs=1e-6)
        assert none.node(u).rows == pytest.approx(start)


def test_looking_changes_nothing() -> None:
    made = simulation(Server(local=True))
    for _ in range(3):
        made.advance(made.now + 1 + made.period)
        made.fleet.node(0)
    assert fingerprint(made) == fingerprint(after(Server(local=True), 3))


def test_looking_at_everybodys_models_changes_nothing_adam_remembers() -> None:
    server = Server(local=True, step=0.5)
    looked, left = (simulation(server, model=Gmf(k=3, lr=0.02, optimizer="adam"), users=9) for _ in range(2))
    for turn in range(1, 4):
        looked.advance(turn * looked.period)
        fingerprint(looked)
    left.advance(3 * left.period)
    assert left._data.memory.any()
    assert fingerprint(looked) == fingerprint(left)


def walks(users: int = 12, places: int = 15) -> pl.DataFrame:
    """People who visit places an hour apart, each their own."""
    rows = [
        {"user": f"u{u}", "item": f"p{(3 * u + step * (1 + u % 4)) % places}", "timestamp": 3600 * step}
        for u in range(users)
        for step in range(8)
    ]
    spread = {f"p{n}": (40.0 + n / 100, -74.0 - n / 90) for n in range(places)}
    return pl.DataFrame(
        [{**row, "lat": spread[str(row["item"])][0], "lon": spread[str(row["item"])][1]} for row in rows]
    ).unique(["user", "item"], maintain_order=True)


def test_fedfast_clusters_and_moves_vectors_and_never_the_place_where_a_person_is() -> None:
    settings = {
        "model": "prme-g",
        "model.k": 3,
        "clusters": 3,
        "participation": 0.4,
        "split": "random-n",
        "split.n": 1,
        "rounds": 4,
    }
    x = prepare("pepper/fedfast", walks(), {**settings, "data.min_user": 0, "data.min_item": 0})
    found = x.protocol.build(x.scenario(Workers(1)))
    assert isinstance(found, AveragingSimulation)
    for turn in range(1, 5):
        found.advance(turn * found.period)
        place = found._private[:, 3]
        assert (place == np.round(place)).all(), "a place's number is nothing that could be averaged"
        assert ((place >= -1) & (place < x.split.train.items)).all()
        own = [set(x.split.train.of(u)[0].tolist()) | {-1} for u in range(len(place))]
        assert all(int(at) in mine for at, mine in zip(place, own, strict=True))
    # Where people are makes no difference to the server: not to whom it asks, nor to their clusters.
    asked, label = found._choose(0)
    found._private[:, 3] = np.arange(len(found._private)) * 1000
    again, other = found._choose(0)
    assert (asked.tolist(), label.tolist()) == (again.tolist(), other.tolist())
    whole = codec.encoded_size(x.split.train.items, 6, 0, sparse=False, itemsize=4)
    sent = found.traffic.bytes[found.traffic.updates > 0] / found.traffic.updates[found.traffic.updates > 0]
    assert set(sent.tolist()) == {whole + 4 * 3}, "three numbers of a vector travel, and not the place"


def test_reptiles_step_is_made_by_every_parameter_of_the_model() -> None:
    """Half a step from where the person was, by hand: the mean of before and after; or the vector goes all the way."""
    whole, half, model_only = (
        after(Server(local=True, step=step, step_vector=vector), 2)
        for step, vector in ((1.0, True), (0.5, True), (0.5, False))
    )
    before = half._private
    assert (before == whole._private).all()  # what is learned together is the same
    assert half.fleet.private == pytest.approx((before + whole.fleet.private) / 2, abs=1e-6)
    assert (model_only.fleet.private == whole.fleet.private).all()
    server = half._slots.rows[0]
    assert half.fleet.slots.rows == pytest.approx((server + whole.fleet.slots.rows) / 2, abs=1e-6)


def test_the_place_behind_a_vector_makes_no_step() -> None:
    """PRME-G keeps where a person is behind their point: half a step to the next place would be another place."""
    steps = [(u, (5 * u + n) % 30, n * 3600) for u in range(12) for n in range(8)]
    walk = pl.DataFrame(steps, schema=["user", "item", "timestamp"], orient="row").with_columns(
        lat=40 + pl.col("item") / 100, lon=-74.0
    )
    settings = {"model": "prme-g", "model.k": 3, "rounds": 2, "evaluate.negatives": 5}
    x = prepare("pepper/reptile", walk, settings)
    simulation = x.protocol.build(x.scenario())
    simulation.advance(2 * simulation.period)
    places = simulation.fleet.private[:, -1]
    assert (places == np.round(places)).all()
    assert (places >= 0).all()
