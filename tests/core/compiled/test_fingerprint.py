"""A kernel's title says what it is composed of; its fingerprint is that of everything it reaches."""

from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import Any, NamedTuple

import numba
import numpy as np
from numba import typeof

from tacit.core.compiled.compiling import kernel
from tacit.core.compiled.fingerprint import fingerprint, part_fingerprint, signature_text, title


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


class Small(NamedTuple):
    a: float
    b: float


class Other(NamedTuple):
    b: float
    a: float


class Box:
    """A class of the same name as another, elsewhere."""

    class Small(NamedTuple):
        b: float
        a: float


def test_named_tuples_in_a_signature_count_by_class_and_order_of_fields() -> None:
    texts = [
        signature_text((typeof(kind(1.0, 2.0)), typeof(np.zeros(3)), typeof((1, kind(1.0, 2.0)))))
        for kind in (Small, Other, Box.Small)
    ]
    assert len(set(texts)) == 3
    assert "[a, b](float64, float64)" in texts[0]
    assert "Box.Small[b, a](float64, float64)" in texts[2]


def test_what_a_name_stands_for_counts_even_where_it_was_met_before() -> None:
    found = []
    for text in ("h = a", "h = b"):
        scope: dict[str, Any] = {"kernel": kernel, "__name__": "somewhere"}
        code = "@kernel\ndef a(x): return x\n@kernel\ndef b(x): return -x\n"
        exec(f"{code}{text}\n@kernel\ndef f(x): return a(x) + b(x) + h(x)\n", scope)
        found.append(fingerprint(scope["f"]))
    assert found[0] != found[1]


def test_closures_over_modules_and_tuples_count_by_what_is_inside() -> None:
    def made(module: Any, values: Any) -> Any:
        @kernel
        def f(x: int) -> int:
            return module.factor * x + values[0][2]

        return f

    one, two = SimpleModule("m", 3), SimpleModule("m", 4)
    large = np.arange(5000)
    changed = large.copy()
    changed[2500] = 1
    assert fingerprint(made(one, (large,))) != fingerprint(made(two, (large,)))
    assert fingerprint(made(one, (large,))) != fingerprint(made(one, (changed,)))
    assert fingerprint(made(one, (large,))) == fingerprint(made(one, (large.copy(),)))


class SimpleModule(ModuleType):
    def __init__(self, name: str, factor: int) -> None:
        super().__init__(name)
        self.factor = factor


def test_options_of_what_is_called_count() -> None:
    def made(**options: Any) -> Any:
        inner = numba.njit(**options)(double.py_func)  # type: ignore[attr-defined]

        @kernel
        def f(x: int) -> int:
            return inner(x)  # type: ignore[no-any-return]

        return f

    assert fingerprint(made(error_model="numpy")) != fingerprint(made(error_model="python"))


def test_a_kernel_that_calls_itself_has_a_title() -> None:
    def make() -> Any:
        @kernel
        def factorial(n: int) -> int:
            return 1 if n < 2 else n * factorial(n - 1)

        return factorial

    assert make()(5) == 120
    assert title(make()).count("factorial") == 3


def made(body: str) -> Any:
    """A class of a cell."""
    scope: dict[str, Any] = {"__name__": "__main__", "kernel": kernel, "dataclass": dataclass}
    exec(compile(body, "<cell>", "exec", dont_inherit=True), scope)
    return scope["Part"]


PART = """
FACTOR = 2

@kernel
def helper(x):
    return FACTOR * x

@dataclass(frozen=True)
class Part:
    size: int = 3
    name = "part"

    def look(self, x):
        'Look.'
        return helper(x) + self.size
"""


def test_a_class_is_known_by_its_code_and_by_what_it_reaches() -> None:
    same = part_fingerprint(made(PART))
    assert part_fingerprint(made(PART)) == same, "run again"
    assert part_fingerprint(made("# a remark\n" + PART.replace("Look.", "Look there."))) == same
    for old, new in [("size: int = 3", "size: int = 4"), ("FACTOR = 2", "FACTOR = 3"), ('"part"', '"other"')]:
        assert part_fingerprint(made(PART.replace(old, new))) != same, new
    assert part_fingerprint(made(PART.replace("+ self.size", "- self.size"))) != same
