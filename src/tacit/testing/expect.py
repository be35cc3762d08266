"""One broken expectation, one clear line. Unlike a bare assert it also speaks when Python runs with -O."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt


def expect(holds: object, message: str) -> None:
    """Raise AssertionError with `message` unless the expectation holds."""
    if not holds:
        raise AssertionError(message)


def expect_kernel(function: Callable[..., Any], what: str) -> None:
    """A compiled function at the top of its module: compiled loops import it from there by name."""
    expect(hasattr(function, "py_func"), f"{what} is plain Python; allowed: a function under @kernel")
    home = sys.modules.get(function.__module__)
    found = getattr(home, function.__name__, None)
    expect(
        found is function,
        f"{what} is not found as {function.__module__}.{function.__name__}; define it at the top",
    )


def same_bits(a: npt.NDArray[Any], b: npt.NDArray[Any]) -> bool:
    """Equal to the last bit, NaN and the sign of zero included."""
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()


def finite(*arrays: npt.NDArray[Any]) -> bool:
    """Neither NaN nor infinity anywhere."""
    return all(bool(np.isfinite(array).all()) for array in arrays)
