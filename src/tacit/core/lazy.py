"""Names of a package that are imported when they are first used, so that importing the package costs nothing.

A stub beside the package (`__init__.pyi`) tells type checkers and editors what they are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def lazy_names(package: str, homes: Mapping[str, str]) -> tuple[Callable[[str], Any], list[str]]:
    """A package's `__getattr__` and its names, from modules and the names in each; `NEW=OLD` is another name there.

    >>> get, names = lazy_names("somewhere", {"math": "pi TWO_PI=tau"})
    >>> round(get("TWO_PI"), 2), names
    (6.28, ['TWO_PI', 'pi'])
    """
    where = {}
    for home, names in homes.items():
        for word in names.split():
            name, _, inside = word.partition("=")
            where[name] = home, inside or name

    def get(name: str) -> Any:
        if name not in where:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        home, inside = where[name]
        return getattr(import_module(home), inside)

    return get, sorted(where)
