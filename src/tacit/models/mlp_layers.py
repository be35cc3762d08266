"""The layers of the MLP: forward and backward pass and gradient step of one hidden ReLU layer with softmax.

Written as loops, not as calls of a matrix library: the same bits on any number of threads, and the many black pixels
are skipped.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tacit.core.compiled.compiling import kernel
from tacit.core.interactions import Positions, Values
from tacit.core.node_state import Floats

CLASSES = 10
Layers = tuple[Floats, Floats, Floats, Floats]
"""W1, b1, W2, b2."""


@kernel
def split_layers(dense: Floats, inputs: int, hidden: int) -> Layers:
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
def forward(layers: Layers, image: npt.NDArray[np.uint8], hidden: Floats, out: Floats) -> None:
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
def batch_buffers(most: int, width: int, dense: Floats) -> tuple[Floats, Floats, Floats]:
    """Buffers for a batch: hidden layers, their slopes, the slopes of the classes' scores."""
    return (
        np.empty((most, width), dense.dtype),
        np.zeros((most, width), dense.dtype),
        np.empty((most, CLASSES), dense.dtype),
    )


@kernel
def backward(
    layers: Layers,
    chosen: npt.NDArray[np.int64],
    items: Positions,
    values: Values,
    pixels: npt.NDArray[np.uint8],
    seen: tuple[Floats, Floats, Floats],
) -> None:
    """What a batch's images do to both layers, and how the loss slopes there."""
    hidden, slope, out = seen
    w2 = layers[2]
    for n in range(len(chosen)):
        forward(layers, pixels[items[chosen[n]]], hidden[n], out[n])
        softmax_slope(out[n], int(values[chosen[n]]))
        for h in range(hidden.shape[1]):
            slope[n, h] = 0
            if hidden[n, h] > 0:
                for c in range(CLASSES):
                    slope[n, h] += out[n, c] * w2[h, c]


@kernel
def softmax_slope(out: Floats, label: int) -> None:
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
def descend(
    layers: Layers,
    chosen: npt.NDArray[np.int64],
    items: Positions,
    pixels: npt.NDArray[np.uint8],
    seen: tuple[Floats, Floats, Floats],
    rate: np.float32,
) -> None:
    """Subtract `rate` times the slope of the batch's loss."""
    hidden, slope, out = seen
    w1, b1, w2, b2 = layers
    for n in range(len(chosen)):
        image = pixels[items[chosen[n]]]
        for p in range(len(image)):
            if image[p] > 0:
                part = rate * (np.float32(image[p]) / np.float32(255))
                for h in range(len(b1)):
                    w1[p, h] -= part * slope[n, h]
        for h in range(len(b1)):
            b1[h] -= rate * slope[n, h]
            for c in range(CLASSES):
                w2[h, c] -= rate * hidden[n, h] * out[n, c]
        for c in range(CLASSES):
            b2[c] -= rate * out[n, c]
