"""A multilayer perceptron for images: a hidden ReLU layer, softmax, minibatch gradient descent (Dymbe 2021, chapter 3).

Every parameter is in the dense part, one after the other: W1 (inputs x hidden), b1, W2 (hidden x classes), b2, all
uniform in +-1/sqrt(fan-in). An "item" is an image's number, its value the label.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from tacit.core.compiled.compiling import kernel
from tacit.core.errors import BadInput
from tacit.core.node_state import Field, Floats, NodeArrays, Ratings, Visibility
from tacit.core.rng import Stream, permutation, uniform
from tacit.core.settings import Count, Positive, setting
from tacit.models.adam import PER_PARAMETER, step
from tacit.models.base import Kernels, MemorySizes
from tacit.models.mlp_layers import CLASSES as CLASSES
from tacit.models.mlp_layers import backward, batch_buffers, descend, forward, split_layers

_INIT, _LEARN = Stream.INIT_ROWS, Stream.LEARN


class Hyper(NamedTuple):
    """The numbers the kernels need."""

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
def learn(node: NodeArrays, own: Ratings, draws: tuple[int, int, int], hyper: Hyper) -> None:
    """One pass over the agent's images in random order, a step after each batch."""
    _learn(node.dense, node.memory, own, draws, hyper)


@kernel
def _learn(
    dense: Floats, memory: Floats | None, own: Ratings, draws: tuple[int, int, int], hyper: Hyper
) -> None:
    """By plain steps, or by Adam. Memory: a count of batches, then two moments per parameter."""
    inputs, width = hyper.pixels.shape[1], hyper.hidden
    items = own.items
    both = split_layers(dense, inputs, width)
    order = permutation(draws[0], _LEARN, draws[1], draws[2], len(items))
    seen = batch_buffers(min(hyper.batch, len(items)), width, dense)
    slope = np.empty(0 if memory is None else len(dense), dense.dtype)
    for start in range(0, len(items), hyper.batch):
        chosen = order[start : start + hyper.batch]
        backward(both, chosen, items, own.values, hyper.pixels, seen)
        if memory is None:
            descend(both, chosen, items, hyper.pixels, seen, hyper.eta / np.float32(len(chosen)))
        else:
            slope[:] = 0
            minus = np.float32(-1) / np.float32(len(chosen))
            descend(split_layers(slope, inputs, width), chosen, items, hyper.pixels, seen, minus)
            memory[0] += 1
            for f in range(len(dense)):
                dense[f] -= step(slope[f], memory, 1 + PER_PARAMETER * f, memory[0], hyper.eta)


@kernel
def score(rows: Floats, dense: Floats, private: Floats, item: int, hyper: Hyper) -> float:
    """The digit an agent takes one of the training images for."""
    hidden = np.empty(hyper.hidden, dense.dtype)
    out = np.empty(CLASSES, dense.dtype)
    forward(split_layers(dense, hyper.pixels.shape[1], hyper.hidden), hyper.pixels[item], hidden, out)
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
        both = split_layers(dense[models[m]], images.shape[1], hidden)
        for n in range(len(images)):
            forward(both, images[n], layer, scores)
            out[m, n] = np.argmax(scores)


@kernel
def probabilities(
    low: int,
    high: int,
    models: npt.NDArray[np.int32],
    dense: Floats,
    hidden: int,
    images: npt.NDArray[np.uint8],
    out: npt.NDArray[np.float64],
) -> None:
    """out[m, n]: what model `models[m]` gives each digit for image n, by softmax."""
    layer = np.empty(hidden, dense.dtype)
    scores = np.empty(CLASSES, dense.dtype)
    for m in range(low, high):
        both = split_layers(dense[models[m]], images.shape[1], hidden)
        for n in range(len(images)):
            forward(both, images[n], layer, scores)
            highest, total = scores.max(), 0.0
            for c in range(CLASSES):
                out[m, n, c] = np.exp(scores[c] - highest)
                total += out[m, n, c]
            for c in range(CLASSES):
                out[m, n, c] /= total


@dataclass(frozen=True, slots=True)
class Perceptron:
    """The parameters; the images come from the data."""

    hidden: Count = setting(128, "units of the hidden layer (Dymbe, figure 3.1, gives no number)")
    eta: Positive = setting(0.1, "learning rate eta (open in Dymbe, section 3.1)")
    batch: Count = setting(32, "images per step (Dymbe, section 3.6: 32)")
    optimizer: Literal["sgd", "adam"] = setting(
        "sgd", "how steps are taken: plain, or by Adam (Dymbe, section 7.2.3)"
    )
    images: Any = field(default=None, repr=False, compare=False)

    name: ClassVar[str] = "mlp"
    evaluate: ClassVar[str] = "accuracy"
    fields: ClassVar[tuple[Field, ...]] = (
        Field("dense", Visibility.SHARED, "weights and biases of both layers"),
        Field("clock", Visibility.SHARED, "how often the model was updated"),
        Field("memory", Visibility.PRIVATE, "what the optimizer remembers"),
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

    @property
    def memory_sizes(self) -> MemorySizes:
        """For Adam: a count, and two moments per parameter; nothing belongs to an image."""
        return MemorySizes(person=1 + PER_PARAMETER * self.dense_size if self.optimizer == "adam" else 0)

    def hyper(self) -> Hyper:
        """The numbers the kernels need."""
        return Hyper(self.images.train, self.hidden, np.float32(self.eta), self.batch)


model = Perceptron
