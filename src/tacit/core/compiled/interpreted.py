"""`interpreted`: a kernel as plain Python, with every kernel that it calls.

Compiled code does not look whether an index is inside an array; what it writes outside changes other data. Python and
NumPy do look. So a first try of somebody else's kernel on small arrays is made here, without compiling anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import CellType, CodeType, FunctionType
from typing import Any

_COMPILED = "tacit.core.rng"
"""Kernels that stay compiled: they take numbers and no arrays, and count on whole numbers that wrap around."""


def interpreted(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """The same function, interpreted.

    >>> from tacit.core.compiled.compiling import kernel
    >>> interpreted(kernel(lambda values: values[3]))([1, 2])
    Traceback (most recent call last):
    IndexError: list index out of range
    """
    made: Callable[..., Any] = _plain(kernel, {})
    return made


def _plain(value: Any, made: dict[int, FunctionType]) -> Any:
    function = getattr(value, "py_func", None)
    if not isinstance(function, FunctionType) or function.__module__ == _COMPILED:
        return value
    if id(function) in made:
        return made[id(function)]
    names = set(_names(function.__code__))
    own: dict[str, Any] = {"__builtins__": __builtins__}
    cells = tuple(CellType() for _ in function.__closure__ or ())
    plain = FunctionType(function.__code__, own, function.__name__, function.__defaults__, cells)
    plain.__kwdefaults__ = function.__kwdefaults__
    made[id(function)] = plain  # before what it calls: a kernel may call itself
    for name, known in function.__globals__.items():
        if name in names:
            own[name] = _plain(known, made)
    for cell, old in zip(cells, function.__closure__ or (), strict=True):
        cell.cell_contents = _plain(old.cell_contents, made)
    return plain


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)
