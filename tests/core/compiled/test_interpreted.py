import numpy as np
import pytest

from tacit.core.compiled.compiling import kernel
from tacit.core.compiled.interpreted import interpreted
from tacit.core.rng import Stream, uniform
from tacit.models.mf import MatrixFactorization

_STREAM = Stream.SYNTHETIC


@kernel
def inner(values: np.ndarray, n: int) -> None:
    values[n] += 1


@kernel
def outer(values: np.ndarray, n: int) -> float:
    inner(values, n)
    return uniform(1, _STREAM, 0, 0, n)


@kernel
def factorial(n: int) -> int:
    return 1 if n < 2 else n * factorial(n - 1)


def test_an_index_outside_is_found_in_a_kernel_that_is_called() -> None:
    values = np.zeros(3)
    assert interpreted(outer)(values, 2) == outer(np.zeros(3), 2)
    assert values.tolist() == [0, 0, 1]
    with pytest.raises(IndexError, match="index 3 is out of bounds"):
        interpreted(outer)(values, 3)


def test_kernels_made_of_others_and_of_themselves() -> None:
    def made(step):  # type: ignore[no-untyped-def]
        @kernel
        def loop(values: np.ndarray) -> None:
            for n in range(len(values) + 1):
                step(values, n)

        return loop

    with pytest.raises(IndexError):
        interpreted(made(inner))(np.zeros(2))
    assert interpreted(factorial)(5) == factorial(5) == 120


def test_a_learning_rule_gives_what_it_gives_compiled() -> None:
    model = MatrixFactorization(k=2)
    both = []
    for way in (lambda k: k, interpreted):
        rows, dense = np.zeros((4, model.row_width)), np.zeros(0)
        way(model.kernels.init_rows)(3, 0, rows, dense, model.hyper())
        both.append(rows)
    assert both[0] == pytest.approx(both[1])
    assert both[0].any()
