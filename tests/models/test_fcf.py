import numpy as np
import pytest

from tacit.core.node_state import NodeArrays, Ratings
from tacit.models.fcf import FederatedFiltering, learn, score


def test_a_device_solves_its_vector_exactly() -> None:
    model = FederatedFiltering(k=2, alpha=3.0, lam=0.5)
    rows = np.array([[1.0, 0.0], [0.5, 1.0], [0.0, -1.0]])
    private, own = np.zeros(2), np.array([0, 1], np.int32)
    learn(
        NodeArrays(rows, np.zeros(3, np.int32), np.zeros(0), private, None),
        Ratings(own, np.ones(2, np.float32)),
        (0, 0, 0),
        model.hyper(),
    )
    confidence, wanted = np.array([4.0, 4.0, 1.0]), np.array([1.0, 1.0, 0.0])
    left = rows.T @ (confidence[:, None] * rows) + 0.5 * np.eye(2)
    assert private == pytest.approx(np.linalg.solve(left, rows.T @ (confidence * wanted)))
    assert score(rows, np.zeros(0), private, 1, model.hyper()) == pytest.approx(rows[1] @ private)
