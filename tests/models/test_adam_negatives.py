"""Adam where negatives are drawn: passes against plain Python; gossip and recipes; nothing of it in a message."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tacit.core.math.negative_sampling import draw_one
from tacit.core.node_state import NodeArrays, Ratings, Visibility
from tacit.core.rng import Stream, two
from tacit.data.sequences import Sequences
from tacit.experiment.prepare import prepare
from tacit.merges import age_average
from tacit.models.base import memory_sizes
from tacit.models.bpr import PairwiseRanking as Bpr
from tacit.models.gmf import GeneralizedMatrixFactorization as Gmf
from tacit.models.prme_g import MetricEmbedding as Prme
from tacit.simulator.simulation import ticks
from tests.equivalence.networks import FULL, Network
from tests.experiment.running import run

ITEMS, SEED, NODE = 9, 5, 0
OWN = np.array([2, 5, 7], np.int32)
WALK = Sequences(
    np.array([0, 6]),
    np.array([2, 2, 7, 5, 5, 2], np.int32),
    np.array([0, 600, 900, 99_000, 99_100, 99_500]),
    np.full(ITEMS, 40.0),
    np.full(ITEMS, -74.0),
)
"""At one spot, so that every weight is 1; 2 and 5 twice in a row, and a day between 7 and 5."""


class Adam:
    """Kingma and Ba's algorithm 1, upwards, with moments of its own for every vector."""

    def __init__(self) -> None:
        self.kept: dict[object, tuple[int, np.ndarray, np.ndarray]] = {}

    def up(self, whose: object, values: np.ndarray, slope: np.ndarray, lr: float) -> None:
        t, m, v = self.kept.get(whose, (0, np.zeros(len(slope)), np.zeros(len(slope))))
        t, m, v = t + 1, 0.9 * m + 0.1 * slope, 0.999 * v + 0.001 * slope**2
        self.kept[whose] = t, m, v
        values += lr * (m / (1 - 0.9**t)) / (np.sqrt(v / (1 - 0.999**t)) + 1e-8)


def bpr_pass(adam: Adam, model: Bpr, rows: np.ndarray, h: np.ndarray, p: np.ndarray, event: int) -> None:
    draw, k = 0, model.k
    reg_u, reg_pos, reg_neg = model.lr / 20, model.lr / 20, model.lr / 200
    for _ in OWN:
        a, b = two(SEED, Stream.PAIRS, NODE, event, draw)
        i, j = int(OWN[int(a * 3)]), int(b * ITEMS)
        draw += 1
        while j in OWN:
            j = int(two(SEED, Stream.PAIRS, NODE, event, draw)[0] * ITEMS)
            draw += 1
        qi, qj, mine = rows[i].copy(), rows[j].copy(), p.copy()
        g = 1 / (1 + math.exp(qi[k] - qj[k] + mine @ (qi[:k] - qj[:k])))
        adam.up("p", p, g * (qi[:k] - qj[:k]) - reg_u * mine, model.lr)
        adam.up(i, rows[i], np.append(g * mine - reg_pos * qi[:k], g), model.lr)
        adam.up(j, rows[j], np.append(-g * mine - reg_neg * qj[:k], -g), model.lr)


def gmf_pass(adam: Adam, model: Gmf, rows: np.ndarray, h: np.ndarray, p: np.ndarray, event: int) -> None:
    draw = 0
    for own in OWN:
        examples = [(int(own), 1.0)]
        for _ in range(model.negatives):
            j, draw = draw_one(SEED, Stream.TRAINING_NEGATIVES, NODE, event, draw, OWN, ITEMS)
            examples.append((j, 0.0))
        for i, y in examples:
            q, old_h, old_p = rows[i].copy(), h.copy(), p.copy()
            g = 1 / (1 + math.exp(-float((old_h * old_p * q).sum()))) - y
            adam.up("p", p, -(g * old_h * q + model.reg * old_p), model.lr)
            adam.up(i, rows[i], -(g * old_h * old_p + model.reg * q), model.lr)
            adam.up("h", h, -(g * old_p * q), model.lr_h)


FOLLOWED = {2: {2, 7}, 7: set(), 5: {5, 2}}
"""Where somebody on this walk went from each place, within six hours."""


def outside(observed: set[int], event: int, draw: int) -> tuple[int, int]:
    """The first place that is not observed, of two per draw."""
    while True:
        pair = two(SEED, Stream.TRAINING_NEGATIVES, NODE, event, draw)
        draw += 1
        for share in pair:
            if int(share * ITEMS) not in observed:
                return int(share * ITEMS), draw


def prme_pass(adam: Adam, model: Prme, rows: np.ndarray, h: np.ndarray, p: np.ndarray, event: int) -> None:
    draw, k, lam, before, when = 0, model.k, model.lam, -1, 0
    for i, time in zip(WALK.item.tolist(), WALK.time.tolist(), strict=True):
        s = before if before >= 0 and time - when <= model.tau * 3600 else -1
        for _ in range(model.negatives):
            pair = model.unobserved == "pair" and s >= 0
            j, draw = outside(FOLLOWED[s] if pair else set(OWN.tolist()), event, draw)
            a = model.a if s >= 0 else 1.0
            old, mine = rows.copy(), p.copy()

            def d(
                place: int, s: int = s, a: float = a, old: np.ndarray = old, mine: np.ndarray = mine
            ) -> float:
                after = ((old[s, k:] - old[place, k:]) ** 2).sum() if s >= 0 else 0.0
                return float(a * ((mine - old[place, :k]) ** 2).sum() + (1 - a) * after)

            g = 1 / (1 + math.exp(d(j) - d(i)))
            toward, away = mine - old[i, :k], mine - old[j, :k]
            adam.up("p", p, 2 * g * a * (away - toward) - 2 * lam * mine, model.lr)
            adam.up((i, "P"), rows[i, :k], 2 * g * a * toward - 2 * lam * old[i, :k], model.lr)
            adam.up((j, "P"), rows[j, :k], -2 * g * a * away - 2 * lam * old[j, :k], model.lr)
            if s >= 0:
                slopes: dict[int, np.ndarray] = {}
                toward, away = old[s, k:] - old[i, k:], old[s, k:] - old[j, k:]
                for place, slope in ((s, away - toward), (i, toward), (j, -away)):
                    total = 2 * g * (1 - a) * slope - 2 * lam * old[place, k:]
                    slopes[place] = slopes.get(place, 0) + total
                for place, slope in slopes.items():
                    adam.up((place, "S"), rows[place, k:], slope, model.lr)
        before, when = i, time


CASES = {
    "bpr": (Bpr(k=3, lr=0.05, optimizer="adam"), bpr_pass),
    "gmf": (Gmf(k=3, lr=0.05, lr_h=0.02, reg=0.1, negatives=2, optimizer="adam"), gmf_pass),
    "gmf, p travels": (Gmf(k=3, negatives=2, user_vectors="travel", optimizer="adam"), gmf_pass),
    "prme-g": (Prme(k=2, lr=0.03, negatives=2, optimizer="adam", sequences=WALK), prme_pass),
    "prme-g, all places of a person": (
        Prme(k=2, lr=0.03, negatives=2, unobserved="person", optimizer="adam", sequences=WALK),
        prme_pass,
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_passes_are_those_of_plain_python(case: str) -> None:
    model, plain_pass = CASES[case]
    kernels, hyper = model.kernels, model.hyper()
    rows, dense, private = (
        np.zeros(s) for s in ((ITEMS, model.row_width), model.dense_size, model.private_size)
    )
    memory, ages = np.zeros(memory_sizes(model).total(len(OWN), ITEMS)), np.zeros(ITEMS, np.int32)
    kernels.init_rows(SEED, NODE, rows, dense, hyper)
    kernels.init_private(SEED, NODE, private, hyper)
    travels = len(dense) > model.row_width
    person = dense[3:] if travels else private[:-1] if model.name == "prme-g" else private
    slow_rows, slow_p, slow_h = rows.copy(), person.copy(), dense[:3].copy()
    adam = Adam()
    for event in range(4):
        node = NodeArrays(rows, ages, dense, private, memory)
        kernels.learn(node, Ratings(OWN, np.ones(3, np.float32)), (SEED, NODE, event), hyper)
        plain_pass(adam, model, slow_rows, slow_h, slow_p, event)  # type: ignore[operator]
    assert person == pytest.approx(slow_p, rel=1e-4, abs=1e-6)
    assert rows == pytest.approx(slow_rows, rel=1e-4, abs=1e-6)
    assert dense[:3] == pytest.approx(slow_h, rel=1e-4, abs=1e-6)
    assert (ages[np.setdiff1d(np.arange(ITEMS), OWN)] > 0).any(), "negatives were drawn, and stepped"


NETWORK = Network(age_average.merge(), users=6, items=12, degree=3, model=Bpr(k=2, lr=0.02, optimizer="adam"))


def test_gossip_sends_nothing_of_it_and_simulates_it_to_the_bit() -> None:
    simulation, host = NETWORK.simulation(), NETWORK.host()
    simulation.advance(ticks(6 * FULL))
    host.run(ticks(6 * FULL))
    wire = b"|".join(data for _, _, _, data in host.wire)
    size, secrets = memory_sizes(NETWORK.model).row, 0
    start = simulation._data.memory_start
    for u, node in enumerate(host.nodes):
        assert simulation._data.memory[start[u] : start[u + 1]].tobytes() == node.state.memory.tobytes()
        assert simulation.fleet.node(u).rows.tobytes() == node.state.rows.tobytes()
        moments = node.state.memory.reshape(-1, size)[:, 1:]  # without the counts of steps, such as 1
        for number in moments[moments != 0]:
            assert number.tobytes() not in wire
            secrets += 1
    assert secrets > 200


def test_threads_do_not_matter() -> None:
    ends = []
    for threads in (1, 3):
        simulation = NETWORK.simulation(threads)
        simulation.advance(ticks(5 * FULL))
        ends.append((simulation._data.memory.tobytes(), simulation.fleet.private.tobytes()))
    assert ends[0] == ends[1]


@pytest.mark.parametrize("case", CASES)
def test_what_is_remembered_is_private(case: str) -> None:
    fields = CASES[case][0].fields
    assert [f.visibility for f in fields if f.name == "memory"] == [Visibility.PRIVATE]


SMALL = {
    "data.users": 60, "data.items": 300, "data.interactions": 3000, "model.k": 4, "model.optimizer": "adam",
}  # fmt: skip
LEARNS = {
    "pepper/pepper": ("hr@5", {"rounds": 20, "model.lr": 0.02}),
    "fpl/sfpl": ("precision@10", {"epochs": 4, "model.lr": 0.001}),
    "baseline/bpr-mf": ("precision@10", {"epochs": 12, "model.lr": 0.01}),
    "hegedus/gossip-merge": (
        "hr@5",
        {
            "model": "bpr", "rounds": 20, "model.lr": 0.01, "evaluate": "sampled", "split.n": 2,
            "data.items": 80, "data.interactions": 1800,
        },
    ),
}  # fmt: skip


@pytest.mark.parametrize("recipe", LEARNS)
def test_recipes_learn_by_it(recipe: str) -> None:
    metric, chosen = LEARNS[recipe]
    result = run(prepare(recipe, "synthetic", {**SMALL, **chosen}), threads=1)
    assert result.curve[-1][metric] > 1.3 * result.curve[0][metric]


def test_the_memory_it_needs_is_said_beforehand() -> None:
    """Everybody their own moments of every row; with a server that takes the steps, one set and everybody's vector."""

    def told(recipe: str) -> tuple[int, int, int]:
        by_adam, plain = (
            prepare(recipe, "synthetic", {**SMALL, "model.optimizer": optimizer})
            for optimizer in ("adam", "sgd")
        )
        return by_adam.memory - plain.memory, by_adam.split.train.users, by_adam.split.train.items

    more, users, items = told("pepper/pepper")
    assert more == users * (2 + items) * 4 * (1 + 2 * 4)
    more, users, items = told("fpl/sfpl")
    assert more == (users + items) * 4 * (1 + 2 * 5)
