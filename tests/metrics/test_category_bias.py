import numpy as np
import pytest

from tacit.metrics.category_bias import bias, bias_disparity

LABEL = np.array([0, 0, 1, 1, -1], np.int32)


def test_bias_by_hand() -> None:
    # 3 of 4 interactions in a category that is half of the catalogue: 1.5; the other 0.5. Unknown items do not count.
    assert bias(np.array([2, 1, 0, 1, 100]), LABEL, 2) == pytest.approx([1.5, 0.5])


def test_disparity_by_hand() -> None:
    train = bias(np.array([2, 1, 0, 1, 0]), LABEL, 2)
    shown = bias(np.array([0, 0, 3, 0, 0]), LABEL, 2)
    assert bias_disparity(shown, train) == pytest.approx([-1, (2 - 0.5) / 0.5])


def test_a_category_nobody_trained_on_has_no_disparity() -> None:
    assert np.isnan(bias_disparity(np.array([1.0]), np.array([0.0]))[0])
