"""A multilayer perceptron for images: a hidden ReLU layer, softmax, minibatch gradient descent (Dymbe 2021, chapter 3).

Every parameter is in the dense part, one after the other: W1 (inputs x hidden), b1, W2 (hidden x classes), b2, all
uniform in +-1/sqrt(fan-in). An "item" is an image's number, its value the label. Written as loops, not as calls of a
matrix library: the same bits on any number of threads, and the many black pixels are skipped.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from tacit.core.compiling import kernel
from tacit.core.errors import BadInput
from tacit.core.interactions import Positions, Values
from tacit.core.kinds import Number, Whole, setting
from tacit.core.rng import Stream, permutation, uniform
from tacit.core.state import Ages, Field, Floats, Visibility
from tacit.models.base import Kernels

_INIT, _LEARN = Stream.INIT_ROWS, Stream.LEARN
CLASSES = 10


class Hyper(NamedTuple):
    """What the kernels need."""

    pixels: npt.NDArray[np.uint8]
    """The images agents learn from, by number."""
    hidden: int
    eta: np.float32
    batch: int


@kernel
def init_rows(seed: int, node: int, rows: Floats, dense: Floats, hyper: Hyper) -> None:
    """Uniform in +-1/sqrt(fan-in), biases as their layer's weights."""
    inputs = hyper.pixels.shape[1]
    first = (inputs + 1) * hyper.hidden
    for f in range(len(dense)):
        reach = 1.0 / np.sqrt(inputs if f < first else hyper.hidden)
        dense[f] = (2.0 * uniform(seed, _INIT, node, 0, f) - 1.0) * reach


@kernel
def init_private(seed: int, node: int, private: Floats, hyper: Hyper) -> None:
    """Nothing is private but the data."""


@kernel
def _layers(dense: Floats, inputs: int, hidden: int) -> tuple[Floats, Floats, Floats, Floats]:
    """W1, b1, W2, b2 as views."""
    one = inputs * hidden
    two = one + hidden
    three = two + hidden * CLASSES
    return (
        dense[:one].reshape(inputs, hidden),
        dense[one:two],
        dense[two:three].reshape(hidden, CLASSES),
        dense[three:],
    )


@kernel
def _forward(
    layers: tuple[Floats, Floats, Floats, Floats],
    image: npt.NDArray[np.uint8],
    hidden: Floats,
    out: Floats,
) -> None:
    """The hidden layer and the scores of the classes."""
    w1, b1, w2, b2 = layers
    for h in range(len(hidden)):
        hidden[h] = b1[h]
    for p in range(len(image)):
        if image[p] > 0:
            x = np.float32(image[p]) / np.float32(255)
            for h in range(len(hidden)):
                hidden[h] += x * w1[p, h]
    for c in range(len(out)):
        out[c] = b2[c]
    for h in range(len(hidden)):
        if hidden[h] > 0:
            for c in range(len(out)):
                out[c] += hidden[h] * w2[h, c]
        else:
            hidden[h] = 0


@kernel
def learn(
    rows: Floats,
    ages: Ages,
    dense: Floats,
    private: Floats,
    items: Positions,
    values: Values,
    draws: tuple[int, int, int],
    hyper: Hyper,
) -> None:
    """One pass over the agent's images in random order, a step after each batch."""
    seed, node, event = draws
    inputs, width = hyper.pixels.shape[1], hyper.hidden
    layers = _layers(dense, inputs, width)
    w1, b1, w2, b2 = layers
    order = permutation(seed, _LEARN, node, event, len(items))
    most = min(hyper.batch, len(items))
    hidden = np.empty((most, width), dense.dtype)
    slope = np.zeros((most, width), dense.dtype)
    out = np.empty((most, CLASSES), dense.dtype)
    for start in range(0, len(items), hyper.batch):
        size = min(hyper.batch, len(items) - start)
        rate = hyper.eta / np.float32(size)
        for n in range(size):
            at = order[start + n]
            _forward(layers, hyper.pixels[items[at]], hidden[n], out[n])
            _softmax_slope(out[n], int(values[at]))
            for h in range(width):
                slope[n, h] = 0
                if hidden[n, h] > 0:
                    for c in range(CLASSES):
                        slope[n, h] += out[n, c] * w2[h, c]
        for n in range(size):
            image = hyper.pixels[items[order[start + n]]]
            for p in range(inputs):
                if image[p] > 0:
                    step = rate * (np.float32(image[p]) / np.float32(255))
                    for h in range(width):
                        w1[p, h] -= step * slope[n, h]
            for h in range(width):
                b1[h] -= rate * slope[n, h]
                for c in range(CLASSES):
                    w2[h, c] -= rate * hidden[n, h] * out[n, c]
            for c in range(CLASSES):
                b2[c] -= rate * out[n, c]


@kernel
def _softmax_slope(out: Floats, label: int) -> None:
    """In place: probabilities minus one at the label, the slope of the cross-entropy."""
    top = out.max()
    total = out[0] * np.float32(0)
    for c in range(len(out)):
        out[c] = np.exp(out[c] - top)
        total += out[c]
    for c in range(len(out)):
        out[c] /= total
    out[label] -= np.float32(1)


@kernel
def score(rows: Floats, dense: Floats, private: Floats, item: int, hyper: Hyper) -> float:
    """The digit an agent takes one of the training images for."""
    hidden = np.empty(hyper.hidden, dense.dtype)
    out = np.empty(CLASSES, dense.dtype)
    _forward(_layers(dense, hyper.pixels.shape[1], hyper.hidden), hyper.pixels[item], hidden, out)
    return float(np.argmax(out))


@kernel
def unseen(private: Floats, hyper: Hyper) -> float:
    """There are no unseen items."""
    return 0.0


@kernel
def classify(
    low: int,
    high: int,
    models: npt.NDArray[np.int32],
    dense: Floats,
    hidden: int,
    images: npt.NDArray[np.uint8],
    out: npt.NDArray[np.int8],
) -> None:
    """out[m, n]: the digit that model `models[m]` takes image n for; of equal scores the lowest digit."""
    layer = np.empty(hidden, dense.dtype)
    scores = np.empty(CLASSES, dense.dtype)
    for m in range(low, high):
        layers = _layers(dense[models[m]], images.shape[1], hidden)
        for n in range(len(images)):
            _forward(layers, images[n], layer, scores)
            out[m, n] = np.argmax(scores)


@dataclass(frozen=True, slots=True)
class Perceptron:
    """The parameters; the images come from the data."""

    hidden: int = setting(128, "units of the hidden layer", Whole(1))
    eta: float = setting(0.1, "learning rate eta", Number(0, open_low=True))
    batch: int = setting(32, "images a step", Whole(1))
    images: Any = field(default=None, repr=False, compare=False)

    name: ClassVar[str] = "mlp"
    fields: ClassVar[tuple[Field, ...]] = (
        Field("dense", Visibility.SHARED, "weights and biases of both layers"),
        Field("clock", Visibility.SHARED, "how often the model was updated"),
    )
    kernels: ClassVar[Kernels] = Kernels(init_rows, init_private, learn, score, unseen, looks_up=True)

    def __post_init__(self) -> None:
        if self.images is None:
            raise BadInput("model", got="mlp, which reads images", allowed="another model, or --data mnist")

    @property
    def row_width(self) -> int:
        """No parameter belongs to an image."""
        return 0

    @property
    def dense_size(self) -> int:
        """Two layers."""
        inputs: int = self.images.train.shape[1]
        return (inputs + 1) * self.hidden + (self.hidden + 1) * CLASSES

    @property
    def private_size(self) -> int:
        """Nothing."""
        return 0

    def hyper(self) -> Hyper:
        """The numbers the kernels need."""
        return Hyper(self.images.train, self.hidden, np.float32(self.eta), self.batch)


model = Perceptron
