"""Assertions of the kits: one clear line per broken expectation, also when Python runs with -O."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec

import numpy as np
import numpy.typing as npt
from numba.core.errors import NumbaError

P = ParamSpec("P")


def expect(holds: object, message: str) -> None:
    """Raise AssertionError with `message` unless the expectation holds."""
    if not holds:
        raise AssertionError(message)


def kit(check: Callable[P, None]) -> Callable[P, None]:
    """A check in which a kernel that does not compile is one more broken expectation."""

    @wraps(check)
    def checked(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            check(*args, **kwargs)
        except NumbaError as error:
            raise AssertionError(f"a kernel does not compile: {error}") from error

    return checked


def expect_kernel(function: Callable[..., Any], what: str) -> None:
    """A compiled function."""
    expect(hasattr(function, "py_func"), f"{what} is plain Python; allowed: a function under @kernel")


def same_bits(a: npt.NDArray[Any], b: npt.NDArray[Any]) -> bool:
    """Equal to the last bit, NaN and the sign of zero included."""
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()


def finite(*arrays: npt.NDArray[Any]) -> bool:
    """Neither NaN nor infinity anywhere."""
    return all(bool(np.isfinite(array).all()) for array in arrays)
