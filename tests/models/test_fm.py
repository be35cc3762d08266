import numpy as np
import polars as pl
import pytest

from tacit.core.node_state import NodeArrays, Ratings
from tacit.core.rng import Stream, normals, uniforms
from tacit.data.features import item_features
from tacit.experiment.prepare import prepare
from tacit.models.fm import FactorizationMachine
from tacit.testing import check_model
from tests.experiment.running import run

FEATURES = item_features(pl.DataFrame({"genres": ["A|B", "B", "", "A|C|B"] * 3}))
MODEL = FactorizationMachine(k=3, eta=0.02, lam=0.0, features=FEATURES)


def machine(rows, dense, private, item):  # type: ignore[no-untyped-def]
    """Rendle's formula over the vector of the user, the item and the features."""
    mine = FEATURES.feature[FEATURES.start[item] : FEATURES.start[item + 1]]
    vectors, weights, x = [private[:3], rows[item, :3]], [private[3], rows[item, 3]], [1.0, 1.0]
    for g in mine:
        vectors.append(dense[4 * g : 4 * g + 3])
        weights.append(dense[4 * g + 3])
        x.append(1 / len(mine))
    pairs = sum((vectors[a] @ vectors[b]) * x[a] * x[b] for a in range(len(x)) for b in range(a + 1, len(x)))
    return float(np.dot(weights, x) + pairs)


def state():  # type: ignore[no-untyped-def]
    draws = normals(4, Stream.SYNTHETIC, 0, 17, 4) * 0.5
    return draws[:12].copy(), draws[12:15].reshape(-1).copy(), draws[15].copy()


@pytest.mark.parametrize("features", [FEATURES, item_features(pl.DataFrame({"genres": ["A"] * 12}))])
def test_kit(features) -> None:  # type: ignore[no-untyped-def]
    check_model(FactorizationMachine(k=3, eta=0.02, features=features))


def test_predictions_are_those_of_a_factorization_machine() -> None:
    rows, dense, private = state()
    for item in range(12):
        assert MODEL.kernels.score(rows, dense, private, item, MODEL.hyper()) == pytest.approx(
            machine(rows, dense, private, item)
        )


def test_a_step_goes_down_the_slope_of_the_squared_error() -> None:
    rows, dense, private = state()
    before = np.concatenate((rows[3], dense, private))

    def half_error(numbers):  # type: ignore[no-untyped-def]
        other = rows.copy()
        other[3] = numbers[:4]
        return (4.0 - machine(other, numbers[4:16], numbers[16:], 3)) ** 2 / 2

    slope = np.zeros(len(before))
    for f in range(len(before)):
        ahead, back = before.copy(), before.copy()
        ahead[f] += 1e-5
        back[f] -= 1e-5
        slope[f] = (half_error(ahead) - half_error(back)) / 2e-5
    after = rows.copy(), dense.copy(), private.copy()
    learn(MODEL, after, None, np.array([3], np.int32), np.array([4], np.float32))
    moved = before - np.concatenate((after[0][3], after[1], after[2]))
    np.testing.assert_allclose(moved, 0.02 * slope, atol=1e-6)


def learn(model, parts, memory, items, values) -> None:  # type: ignore[no-untyped-def]
    rows, dense, private = parts
    node = NodeArrays(rows, np.zeros(12, np.int32), dense, private, memory)
    model.kernels.learn(node, Ratings(items, values), (0, 0, 0), model.hyper())


def test_adams_first_step_is_eta_down_the_slope() -> None:
    rows, dense, private = state()
    down = rows.copy(), dense.copy(), private.copy()
    one, five = np.array([3], np.int32), np.array([5], np.float32)
    learn(MODEL, down, None, one, five)
    by_adam = FactorizationMachine(k=3, eta=0.02, lam=0.0, features=FEATURES, optimizer="adam")
    stepped = rows.copy(), dense.copy(), private.copy()
    person, rating, _ = by_adam.memory_sizes
    assert (person, rating) == (9 * 4, 9), (
        "a count and two moments of four numbers: the person's, three genres', a row's"
    )
    memory = np.zeros(person + rating)
    learn(by_adam, stepped, memory, one, five)
    for before, plain, new in zip((rows, dense, private), down, stepped, strict=True):
        slope = before - plain
        np.testing.assert_allclose(before - new, 0.02 * np.sign(slope), rtol=1e-4, atol=1e-9)
    assert memory[::9].tolist() == [1, 1, 1, 1, 1], "item 3 has all three genres"


def test_categories_help_where_they_say_everything() -> None:
    """Ratings depend on the category alone; most items are rated by two or three people only."""
    draws = uniforms(2, Stream.SYNTHETIC, 0, 40, 200)
    who, what = np.nonzero(draws < 0.08)
    rating = 1.0 + 4.0 * (what % 2)
    frame = pl.DataFrame(
        {"user": who, "item": what, "rating": rating, "category": [f"kind {i % 2}" for i in what]}
    )
    chosen = {"rounds": 30, "split.n": 3, "start": "synchronous", "graph": "complete", "model.eta": 0.05}
    error = {
        model: run(prepare("hegedus/gossip-merge", frame, {**chosen, "model": model}), threads=1).metrics[
            "rmse"
        ]
        for model in ("fm", "mf")
    }
    assert error["fm"] < 0.7 * error["mf"]
