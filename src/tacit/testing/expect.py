"""Assertions of the kits: one clear line per broken expectation, also when Python runs with -O."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec

import numpy as np
import numpy.typing as npt

from tacit.core.compiled.failures import compiling_explained
from tacit.core.errors import BadInput
from tacit.core.part_checks import check_made

P = ParamSpec("P")


def expect(holds: object, message: str) -> None:
    """Raise AssertionError with `message` unless the expectation holds."""
    if not holds:
        raise AssertionError(message)


def kit(check: Callable[P, None]) -> Callable[P, None]:
    """A check that also fails where a kernel does not compile or a part lacks something."""

    @wraps(check)
    def checked(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            with compiling_explained():
                check(*args, **kwargs)
        except BadInput as error:
            raise AssertionError(str(error)) from error

    return checked


def expect_part(attribute: str, part: Any, what: str = "") -> None:
    """A part with its settings that has everything its kind needs."""
    what = what or attribute
    expect(not isinstance(part, type), f"{what} {part!r}: got the class; allowed: one with its parameters")
    check_made(attribute, part, f"{what} {type(part).__name__}")


def same_bits(a: npt.NDArray[Any], b: npt.NDArray[Any]) -> bool:
    """Equal to the last bit, NaN and the sign of zero included."""
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()


def finite(*arrays: npt.NDArray[Any]) -> bool:
    """Neither NaN nor infinity anywhere."""
    return all(bool(np.isfinite(array).all()) for array in arrays)
