"""A kernel's title says what it is composed of; its fingerprint is that of everything it reaches."""

from functools import cache
from typing import Any

from tacit.core.compiled.compiling import kernel
from tacit.core.compiled.fingerprint import fingerprint, title


@kernel
def double(x: int) -> int:
    return 2 * x


@cache
def make_twice(step: Any, more: int) -> Any:
    @kernel
    def twice(x: int) -> int:
        return step(step(x)) + more

    return twice


def test_the_title_names_the_parts() -> None:
    here = "tests.core.compiled.test_fingerprint"
    made = make_twice(double, 1)
    assert title(double) == f"{here}.double"
    assert title(made) == f"{here}.make_twice.<locals>.twice(more=1, step={here}.double)"


def test_closures_over_other_values_are_others() -> None:
    assert fingerprint(make_twice(double, 1)) != fingerprint(make_twice(double, 2))
    assert fingerprint(make_twice(double, 1)) == fingerprint(make_twice(double, 1))
