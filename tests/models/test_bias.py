import numpy as np
import pytest

from tacit.core.node_state import NodeArrays, Ratings
from tacit.models.bias import Bias
from tacit.models.mf import MatrixFactorization
from tacit.testing import check_model


@pytest.mark.parametrize("init", ["random", "data"])
def test_kit(init: str) -> None:
    check_model(Bias(init=init))


def test_one_step_by_hand() -> None:
    model, hyper = Bias(eta=0.1), Bias(eta=0.1).hyper()
    rows, ages, private = np.ones((2, 1)), np.zeros(2, np.int32), np.ones(1)
    items, values = np.array([1], np.int32), np.array([4], np.float32)
    node = NodeArrays(rows, ages, np.zeros(0), private, None)
    model.kernels.learn(node, Ratings(items, values), (0, 0, 0), hyper)
    # err = 4 - 1 - 1 = 2; both biases move by eta err.
    assert rows[:, 0].tolist() == pytest.approx([1, 1.2])
    assert private[0] == pytest.approx(1.2)
    assert model.kernels.score(rows, np.zeros(0), private, 1, hyper) == pytest.approx(2.4)


def test_it_is_mf_without_factors() -> None:
    plain = MatrixFactorization(k=0)
    assert (Bias().row_width, Bias().private_size) == (plain.row_width, plain.private_size) == (1, 1)
