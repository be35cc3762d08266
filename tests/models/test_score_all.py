"""One node's scores of every row."""

import numpy as np

from tacit.models.mf import MatrixFactorization
from tacit.models.score_all import score_all


def test_every_row_is_scored_as_the_model_does() -> None:
    rows = np.array([[1.0, 0.5], [2.0, -0.5]], np.float32)
    private = np.array([3.0, 0.25], np.float32)
    found = score_all(MatrixFactorization(k=1), rows, np.zeros(0, np.float32), private)
    assert found.tolist() == [3 * 1 + 0.25 + 0.5, 3 * 2 + 0.25 - 0.5]
