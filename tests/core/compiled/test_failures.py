"""What Numba cannot compile, in one line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tacit.core.compiled.compiling import kernel
from tacit.core.compiled.failures import compiling_explained
from tacit.core.errors import BadInput
from tacit.core.rng import Stream, uniform

TABLE = {"a": 1}


@kernel
def looks_into_a_class(x: float) -> float:
    return uniform(1, Stream.PEERS, 2, 3, 4) + x


@kernel
def looks_into_a_table(x: float) -> int:
    return TABLE["a"]


@kernel
def appends(x: float) -> Any:
    numbers = np.zeros(3)
    numbers.append(x)  # type: ignore[attr-defined]
    return numbers


@kernel
def adds_a_text(x: float) -> Any:
    return np.zeros(3) + "a"  # type: ignore[operator]


@kernel
def opens_a_file(x: float) -> Any:
    with open("x") as file:  # noqa: PTH123
        return file.read()


@kernel
def names_nothing(x: float) -> Any:
    return nothing + x  # type: ignore[name-defined]  # noqa: F821


@kernel
def keeps_a_dict_of_lists(x: float) -> float:
    table = {}
    table["a"] = [1, "b"]
    return x


@kernel
def calls(x: float) -> Any:
    return appends(x)


@pytest.mark.parametrize(
    ("function", "says"),
    [
        (
            looks_into_a_class,
            r"Stream is no number, array or kernel .*_STREAM = Stream.PEERS \(.*, line 21\)$",
        ),
        (looks_into_a_table, r"TABLE is no number, array or kernel .*, line 26\)$"),
        (
            appends,
            r"Unknown attribute 'append' of type array\(float64, 1d, C\) \(.*test_failures.py, line 32\)$",
        ),
        (adds_a_text, r"there is no add\(array\(float64, 1d, C\), .*, line 38\)$"),
        (opens_a_file, r"The 'with .*' construct is not supported.* \(.*test_failures.py, line \d+\)$"),
        (names_nothing, r"name 'nothing' is not defined \(.*, line 49\)$"),
        (calls, r"Unknown attribute 'append' .*, line 32\)$"),
    ],
)
def test_one_line_with_the_place(function: Callable[..., Any], says: str) -> None:
    with pytest.raises(BadInput, match=says) as caught, compiling_explained():
        function(3.0)
    assert "\n" not in str(caught.value)
    assert caught.value.__suppress_context__
    assert caught.value.__context__ is not None, "the whole text is kept"


def test_other_errors_pass() -> None:
    with pytest.raises(ZeroDivisionError), compiling_explained():
        1 / 0  # noqa: B018


def test_nothing_is_printed_before_the_line(recwarn: pytest.WarningsRecorder) -> None:
    with pytest.raises(BadInput), compiling_explained():
        keeps_a_dict_of_lists(1.0)
    assert not recwarn.list
