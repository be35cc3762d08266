import numpy as np

from tacit.core.rng import Stream, normals, uniforms
from tacit.models.mlp_layers import CLASSES, backward, batch_buffers, descend, forward, split_layers

IMAGES = (uniforms(3, Stream.SYNTHETIC, 0, 4, 6) * 255).astype(np.uint8)
IMAGES[:, 2] = 0
LABELS = np.array([0, 7, 2, 9], np.float32)
ITEMS = np.arange(4, dtype=np.int32)
DENSE = normals(4, Stream.SYNTHETIC, 0, 1, 6 * 3 + 3 + 3 * CLASSES + CLASSES)[0]


def matrices(dense: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Hidden layers and scores, written with matrices."""
    hidden = np.maximum(IMAGES / np.float32(255) @ dense[:18].reshape(6, 3) + dense[18:21], 0)
    return hidden, hidden @ dense[21:51].reshape(3, CLASSES) + dense[51:]


def test_forward() -> None:
    hidden, out = np.zeros(3), np.zeros(CLASSES)
    expected = matrices(DENSE)
    for n, image in enumerate(IMAGES):
        forward(split_layers(DENSE, 6, 3), image, hidden, out)
        np.testing.assert_allclose(hidden, expected[0][n], rtol=1e-6)
        np.testing.assert_allclose(out, expected[1][n], rtol=1e-6)


def test_the_layers_are_views() -> None:
    dense = DENSE.copy()
    w1, b1, w2, b2 = split_layers(dense, 6, 3)
    for part in (w1, b1, w2, b2):
        part[:] = 0
    assert not dense.any()


def test_going_down_by_a_rate_is_the_sum_of_its_parts() -> None:
    """The slope of a batch is what is subtracted from nothing, whatever the rate."""
    seen = batch_buffers(4, 3, DENSE)
    both = split_layers(DENSE, 6, 3)
    backward(both, np.arange(4), ITEMS, LABELS, IMAGES, seen)
    one, half = np.zeros_like(DENSE), np.zeros_like(DENSE)
    descend(split_layers(one, 6, 3), np.arange(4), ITEMS, IMAGES, seen, np.float32(1))
    descend(split_layers(half, 6, 3), np.arange(4), ITEMS, IMAGES, seen, np.float32(0.5))
    np.testing.assert_allclose(half, one / 2, rtol=1e-6, atol=1e-9)
    assert abs(one[51:].sum()) < 1e-6, "probabilities minus the right answer add up to nothing"
    assert not one[6:9].any(), "a pixel that is black everywhere moves nothing"
