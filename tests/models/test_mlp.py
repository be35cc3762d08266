from types import SimpleNamespace

import numpy as np
import pytest

from tacit.core.errors import BadInput
from tacit.core.node_state import NodeArrays, Ratings
from tacit.core.rng import Stream, uniforms
from tacit.models.mlp import CLASSES, Perceptron, classify

PIXELS = (uniforms(1, Stream.SYNTHETIC, 0, 12, 9) * 255).astype(np.uint8)
PIXELS[PIXELS < 100] = 0
LABELS = (np.arange(12) % CLASSES).astype(np.float32)
ITEMS = np.arange(12, dtype=np.int32)


def perceptron(**more: float | str) -> Perceptron:
    return Perceptron(hidden=4, images=SimpleNamespace(train=PIXELS), **more)  # type: ignore[arg-type]


def start(model: Perceptron, dtype: str = "float64") -> np.ndarray:
    dense = np.zeros(model.dense_size, dtype)
    model.kernels.init_rows(0, 0, np.zeros((1, 0), dtype), dense, model.hyper())
    return dense


def learn(model: Perceptron, dense: np.ndarray, event: int = 0, memory: np.ndarray | None = None) -> None:
    rows, ages, private = np.zeros((1, 0), dense.dtype), np.zeros(1, np.int32), np.zeros(0, dense.dtype)
    node = NodeArrays(rows, ages, dense, private, memory)
    model.kernels.learn(node, Ratings(ITEMS, LABELS), (0, 0, event), model.hyper())


def loss(dense: np.ndarray) -> float:
    """Mean cross-entropy, written with matrices."""
    w1, b1 = dense[:36].reshape(9, 4), dense[36:40]
    w2, b2 = dense[40:80].reshape(4, 10), dense[80:]
    scores = np.maximum(PIXELS / 255 @ w1 + b1, 0) @ w2 + b2
    scores -= scores.max(axis=1, keepdims=True)
    logs = scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))
    return float(-logs[np.arange(12), LABELS.astype(int)].mean())


def test_a_step_goes_down_the_slope_of_the_cross_entropy() -> None:
    model = perceptron(eta=1.0, batch=12)
    before = start(model)
    after = before.copy()
    learn(model, after)
    slope = np.zeros(len(before))
    for f in range(len(before)):
        ahead, back = before.copy(), before.copy()
        ahead[f] += 1e-5
        back[f] -= 1e-5
        slope[f] = (loss(ahead) - loss(back)) / 2e-5
    np.testing.assert_allclose(before - after, slope, atol=1e-6)


def test_adams_first_step_is_eta_down_the_slope() -> None:
    plain, by_adam = perceptron(eta=1.0, batch=12), perceptron(eta=0.01, batch=12, optimizer="adam")
    before = start(plain)
    down, stepped = before.copy(), before.copy()
    learn(plain, down)
    memory = np.zeros(by_adam.memory_sizes[0])
    learn(by_adam, stepped, memory=memory)
    slope = before - down
    steep = np.abs(slope) > 1e-5
    assert steep.sum() > 40
    np.testing.assert_allclose((before - stepped)[steep], 0.01 * np.sign(slope[steep]), rtol=2e-3)
    assert np.array_equal(stepped[slope == 0], before[slope == 0])
    assert memory[0] == 1
    np.testing.assert_allclose(memory[1::2], 0.1 * slope, atol=1e-9)


def test_starts_uniform_by_fan_in() -> None:
    dense = start(Perceptron(hidden=128, images=SimpleNamespace(train=np.zeros((1, 784), np.uint8))))
    first = 785 * 128
    assert len(dense) == first + 129 * 10
    assert 0.95 / 28 < np.abs(dense[:first]).max() <= 1 / 28
    assert 0.95 / 128**0.5 < np.abs(dense[first:]).max() <= 1 / 128**0.5


def test_learns_its_images() -> None:
    model = perceptron(eta=0.5, batch=4)
    dense = start(model, "float32")
    for event in range(400):
        learn(model, dense, event)
    said = np.zeros((1, 12), np.int8)
    classify(0, 1, np.zeros(1, np.int32), dense[None, :], 4, PIXELS, said)
    assert (said[0] == LABELS).mean() > 0.7
    rows, private = np.zeros((1, 0), np.float32), np.zeros(0, np.float32)
    scores = [model.kernels.score(rows, dense, private, i, model.hyper()) for i in range(12)]
    assert scores == said[0].tolist()


def test_batches_are_dealt_anew_each_pass() -> None:
    model = perceptron(batch=4)
    one, two = start(model), start(model)
    learn(model, one, 0)
    learn(model, two, 1)
    assert not np.array_equal(one, two)


def test_needs_images() -> None:
    with pytest.raises(BadInput, match="--data mnist"):
        Perceptron()
