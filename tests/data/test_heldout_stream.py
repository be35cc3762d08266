import numpy as np
import pytest

from tacit.data.heldout_stream import stream

LABELS = np.repeat(np.arange(10), 100)


@pytest.mark.parametrize("bias", [0.0, 0.5, 1.0])
def test_every_case_comes_once(bias: float) -> None:
    assert sorted(stream(LABELS, bias, 3).tolist()) == list(range(1000))


def test_segments_lean_to_their_class() -> None:
    for bias, low, high in ((0.0, 0.02, 0.25), (0.5, 0.5, 0.65), (1.0, 1.0, 1.0)):
        order = LABELS[stream(LABELS, bias, 3)].reshape(10, 100)
        own = (order == np.arange(10)[:, None]).mean(axis=1)
        assert own.min() >= low
        assert own.max() <= high


def test_the_order_inside_is_random_and_by_seed() -> None:
    first = stream(LABELS, 1.0, 0)
    assert first[:100].tolist() != sorted(first[:100].tolist())
    assert first.tolist() != stream(LABELS, 1.0, 1).tolist()
    assert first.tolist() == stream(LABELS, 1.0, 0).tolist()
