"""What a kernel's machine code depends on: its own code, and everything that code can reach.

A fingerprint covers a function's instructions, constants and defaults. It covers the kernels that the function closes
over or calls, with the options they are compiled with. It also covers the constants, enumerations and named tuples that
the function names. Each of these is followed in turn. It
covers no help text, no docstring and no line number: editing those recompiles nothing. Functions that are made known to
the compiler by `numba.extending.overload` are not followed.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator
from functools import cache
from hashlib import sha256
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

_OUTSIDE = {"builtins", "cmath", "llvmlite", "math", "numba", "numpy", "operator"}
"""Packages whose functions are known to the compiler; their versions are part of the cache folder's name."""


_MARK = "__code"


def mark(function: Callable[..., Any]) -> None:
    """Put a kernel's fingerprint into its name, and so into the symbols of its machine code.

    Numba numbers functions in each process. Two kernels of one name, compiled in two processes, can get the same
    symbol. Where a third process loads both, each call would go to the one that was loaded first.
    """
    if _MARK not in function.__qualname__:
        function.__qualname__ += _MARK + fingerprint(function)


def plain_name(function: Callable[..., Any]) -> str:
    """A kernel's name as in its source."""
    return function.__qualname__.partition(_MARK)[0]


@cache
def fingerprint(function: Callable[..., Any]) -> str:
    """A hash that changes with everything that a kernel is compiled from."""
    digest = sha256()
    for text in _function(function, set()):
        digest.update(text.encode())
        digest.update(b"\0")
    return digest.hexdigest()[:24]


def title(function: Callable[..., Any], seen: frozenset[int] = frozenset()) -> str:
    """A kernel's name with the kernels it is composed of: `training.train(learn=mf.learn)`."""
    function = getattr(function, "py_func", function)
    name = f"{function.__module__}.{plain_name(function)}"
    if id(function) in seen:
        return name
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    parts = [f"{free}={_short(cell.cell_contents, seen | {id(function)})}" for free, cell in cells]
    return f"{name}({', '.join(parts)})" if parts else name


def _short(value: Any, seen: frozenset[int]) -> str:
    if isinstance(getattr(value, "py_func", value), FunctionType):
        return title(value, seen)
    return value.__name__ if isinstance(value, ModuleType) else repr(value)


def signature_text(types: Any) -> str:
    """A signature in words: named tuples by their class and their fields, in order."""
    owner = getattr(types, "instance_class", None)
    inner = types if isinstance(types, tuple) else getattr(types, "types", None)
    if inner is None:
        return repr(types)
    text = ", ".join(signature_text(one) for one in inner)
    if owner is None:
        return f"({text})"
    return f"{owner.__module__}.{owner.__qualname__}[{', '.join(owner._fields)}]({text})"


def _function(function: Any, seen: set[int]) -> Iterator[str]:
    function = getattr(function, "py_func", function)
    yield f"{function.__module__}.{plain_name(function)}"
    if id(function) in seen:
        return
    seen.add(id(function))
    code = function.__code__
    names = set(_names(code))
    yield from _code(code, skip=1 if function.__doc__ is not None else 0)
    for value in (
        *(function.__defaults__ or ()),
        *(cell.cell_contents for cell in function.__closure__ or ()),
    ):
        yield from _value(value, names, seen)
    for name in sorted(names & set(function.__globals__)):
        yield name
        yield from _value(function.__globals__[name], names, seen)


def _code(code: CodeType, skip: int = 0) -> Iterator[str]:
    """Instructions and constants; a docstring is the first constant, and skipped."""
    yield f"{code.co_code.hex()} {code.co_names} {code.co_varnames} {code.co_freevars}"
    for constant in code.co_consts[skip:]:
        if isinstance(constant, CodeType):
            yield from _code(constant)
        else:
            yield repr(sorted(constant, key=repr) if isinstance(constant, frozenset) else constant)


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _value(value: Any, names: set[str], seen: set[int]) -> Iterator[str]:
    """A name's value; of a module only what is `names`-d of it."""
    inner = getattr(value, "py_func", getattr(value, "_defn", value))
    outside = str(getattr(inner, "__module__", "")).partition(".")[0] in _OUTSIDE
    if outside and not isinstance(inner, np.generic):
        yield f"{inner.__module__}.{getattr(inner, '__qualname__', inner)}"
    elif isinstance(inner, FunctionType):
        yield repr(sorted(getattr(value, "targetoptions", {}).items(), key=repr))
        yield from _function(inner, seen)
    elif isinstance(value, ModuleType):
        yield value.__name__
        if value.__name__.partition(".")[0] not in _OUTSIDE:
            for name in sorted(names & set(vars(value))):
                yield from _value(getattr(value, name), names, seen)
    elif isinstance(value, enum.EnumMeta):
        yield repr([(member.name, member.value) for member in value])  # type: ignore[var-annotated]
    elif isinstance(value, type):
        yield f"{value.__module__}.{value.__qualname__} {getattr(value, '_fields', ())}"
    elif isinstance(value, np.ndarray):
        yield f"{value.dtype} {value.shape} {value.tobytes().hex()}"
    elif isinstance(value, tuple):
        yield f"{type(value).__qualname__} {getattr(value, '_fields', ())} {len(value)}"
        for one in value:
            yield from _value(one, names, seen)
    else:
        yield f"{type(value).__qualname__} {value!r}"


def part_fingerprint(part: Any) -> str:
    """A hash of a class's own code: its methods, kernels and constants, those of its bases outside tacit included."""
    digest = sha256()
    for text in _part(part):
        digest.update(text.encode())
        digest.update(b"\0")
    return digest.hexdigest()


def _part(part: Any) -> Iterator[str]:
    if not isinstance(part, type):
        yield from _function(part, set())
        return
    for owner in part.__mro__:
        if owner.__module__.partition(".")[0] in ("abc", "builtins", "tacit", "typing"):
            yield owner.__qualname__
            continue
        for name, member in sorted(vars(owner).items()):
            if not name.startswith("__"):
                yield name
                yield from _member(member)
        for one in getattr(owner, "__dataclass_fields__", {}).values():
            yield f"{one.name} {one.type}"
            yield from _member(one.default)


def _member(member: Any) -> Iterator[str]:
    """Functions by what they do, records by their fields, plain values by their text, anything else by its type."""
    inner = getattr(member, "fget", None) or getattr(member, "__func__", None) or member
    if isinstance(getattr(inner, "py_func", inner), FunctionType):
        yield from _function(inner, set())
    elif hasattr(inner, "__dataclass_fields__") and not isinstance(inner, type):
        yield type(inner).__qualname__
        for name in inner.__dataclass_fields__:
            yield from _member(getattr(inner, name))
    elif isinstance(inner, tuple | list):
        yield f"{type(inner).__qualname__} {len(inner)}"
        for one in inner:
            yield from _member(one)
    elif isinstance(inner, str | bytes | int | float | bool | enum.Enum | None):
        yield f"{type(inner).__qualname__} {inner!r}"
    else:
        yield type(inner).__qualname__
