"""Adam against the formula written with scalars; and that what it remembers stays where it is."""

from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest

from tacit.core.compiled.threads import Workers
from tacit.core.errors import BadInput
from tacit.core.interactions import Interactions
from tacit.core.message import codec
from tacit.core.message.update import Draws, release
from tacit.core.node_state import Visibility
from tacit.data.features import item_features
from tacit.experiment.prepare import prepare
from tacit.merges.age_average import AgeAverage
from tacit.models.adam import step
from tacit.models.base import Model
from tacit.models.fm import FactorizationMachine
from tacit.models.mf import MatrixFactorization
from tacit.models.mlp import Perceptron
from tacit.peer_sampling.graphs import complete
from tacit.protocols.gossip.node import GossipNode, GossipRules
from tacit.protocols.gossip.simulation import GossipSimulation
from tacit.simulator import checkpoint
from tacit.simulator.churn.sessions import always
from tacit.simulator.simulation import Scenario
from tests.experiment.running import run

MODEL = MatrixFactorization(k=2, eta=0.05, optimizer="adam")
GENRES = item_features(pl.DataFrame({"genres": ["A|B", "B", "", "A", "B"]}))
IMAGES = SimpleNamespace(train=np.arange(5 * 4, dtype=np.uint8).reshape(5, 4))
TRAIN = Interactions.from_pairs([0, 0, 1, 1, 2], [0, 3, 1, 3, 2], [5, 3, 2, 3, 4], users=3, items=5)


def test_first_step_is_eta_whatever_the_slope() -> None:
    for slope in (-1000.0, -0.01, 0.5):
        assert step(slope, np.zeros(2), 0, 1.0, np.float32(0.1)) == pytest.approx(
            0.1 * np.sign(slope), rel=1e-4
        )


def test_three_steps_by_the_formula() -> None:
    memory, m, v = np.zeros(2), 0.0, 0.0
    for turn, slope in enumerate((2.0, -1.0, 0.5), 1):
        m, v = 0.9 * m + 0.1 * slope, 0.999 * v + 0.001 * slope**2
        expected = 0.1 * (m / (1 - 0.9**turn)) / ((v / (1 - 0.999**turn)) ** 0.5 + 1e-8)
        assert step(slope, memory, 0, float(turn), np.float32(0.1)) == pytest.approx(expected, rel=1e-6)


def rules() -> GossipRules:
    return GossipRules(MODEL, AgeAverage(), seed=3, period=10_000_000, staggered=False)


def test_memory_is_neither_sent_nor_merged() -> None:
    nodes = [GossipNode(u, rules(), 5, *TRAIN.of(u), [v for v in range(3) if v != u]) for u in range(3)]
    plain = GossipNode(
        0, GossipRules(MatrixFactorization(k=2), AgeAverage(), 3, 10_000_000), 5, *TRAIN.of(0), [1]
    )
    draws = Draws(3, 1, 0)
    sent = release(MODEL.fields, nodes[1].state, nodes[1].rated, (), draws)
    nodes[0].receive(codec.decode(codec.encode(sent)))
    memory = nodes[0].state.memory
    assert len(memory) == 7 * (1 + 2), "a count and two moments of three numbers: the person's, and two rows'"
    assert memory[0] == 2, "two steps of the person's part"
    # The node's second neighbour has a memory full of something else: nothing of it may show.
    marked = 123.456
    nodes[1].state.memory[:] = marked
    again = release(MODEL.fields, nodes[1].state, nodes[1].rated, (), draws)
    wire = codec.encode(again)
    assert len(wire) == len(codec.encode(release(MODEL.fields, plain.state, plain.rated, (), draws)))
    assert np.float32(marked).tobytes() not in wire
    before = memory.copy()
    loops = nodes[0]._merging
    loops.merge_all(
        nodes[0].state.rows,
        nodes[0].state.ages,
        again.rows,
        again.ages,
        nodes[0].state.rows,
        nodes[0].state.ages,
        0.0,
    )
    assert np.array_equal(nodes[0].state.memory, before)


@pytest.mark.parametrize("kind", ["fm", "mlp"])
def test_no_models_memory_goes_through_the_door(kind: str) -> None:
    def node(optimizer: str) -> GossipNode:
        model: Model = (
            FactorizationMachine(k=2, optimizer=optimizer, features=GENRES)
            if kind == "fm"
            else Perceptron(hidden=3, optimizer=optimizer, images=IMAGES)
        )
        other = GossipRules(model, AgeAverage(), seed=3, period=10_000_000)
        return GossipNode(0, other, 5, *TRAIN.of(0), [1])

    by_adam, plain = node("adam"), node("sgd")
    assert len(by_adam.state.memory) > 0
    assert len(plain.state.memory) == 0
    neighbour = plain.wake(0, lambda peer: True)[0].update
    by_adam.receive(neighbour)
    assert by_adam.state.memory[0] > 0, "it was used"
    by_adam.state.memory[:] = 123.456
    wire = codec.encode(by_adam.wake(0, lambda peer: True)[0].update)
    assert np.float32(123.456).tobytes() not in wire
    assert len(wire) == len(codec.encode(neighbour))
    fields = by_adam.rules.model.fields
    assert [f.visibility for f in fields if f.name == "memory"] == [Visibility.PRIVATE]


def simulation() -> GossipSimulation:
    setting = Scenario(MODEL, TRAIN, 3, always(), workers=Workers(1), full_seconds=10, staggered=False)
    return GossipSimulation(setting, AgeAverage(), complete(3))


def test_simulator_and_device_remember_the_same() -> None:
    sim = simulation()
    nodes = [GossipNode(u, rules(), 5, *TRAIN.of(u), [v for v in range(3) if v != u]) for u in range(3)]
    for turn in range(4):
        sends = [(u, send) for u, node in enumerate(nodes) for send in node.wake(turn, lambda peer: True)]
        for _, send in sends:
            nodes[send.peer].receive(send.update)
    sim.advance(4 * sim.period)
    for u, node in enumerate(nodes):
        start = sim._data.memory_start
        assert sim._data.memory[start[u] : start[u + 1]].tobytes() == node.state.memory.tobytes()
        assert sim.fleet.node(u).rows.tobytes() == node.state.rows.tobytes()


def test_memory_survives_a_pause(tmp_path) -> None:  # type: ignore[no-untyped-def]
    whole, first, second = simulation(), simulation(), simulation()
    whole.advance(6 * whole.period)
    first.advance(2 * first.period)
    checkpoint.write(tmp_path / "state.npz", first.save())
    with checkpoint.Reader(tmp_path / "state.npz") as arrays:
        second.restore(arrays)
    second.advance(6 * second.period)
    assert second._data.memory.tobytes() == whole._data.memory.tobytes()
    assert second.fleet.private.tobytes() == whole.fleet.private.tobytes()


@pytest.mark.parametrize(("model", "left"), [("mf", 0.7), ("bias", 0.7), ("fm", 0.9)])
def test_learns(model: str, left: float) -> None:
    """`fm` starts in the middle of the scale, so it has less far to go."""
    small = {"data.users": 60, "data.items": 50, "data.interactions": 1500, "rounds": 40, "split.n": 3}
    chosen = {**small, "model": model, "model.optimizer": "adam", "model.eta": 0.03}
    result = run(prepare("hegedus/gossip-merge", "synthetic", chosen), threads=1)
    assert result.curve[-1]["rmse"] < left * result.curve[0]["rmse"]


def test_refused_where_a_model_has_no_use_for_it() -> None:
    with pytest.raises(BadInput, match=r"model\.optimizer"):
        prepare("tacit/best", "synthetic", {"model.optimizer": "adam"})
