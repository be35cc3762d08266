"""Parts by name: the built-in ones are modules of a package, outside ones come by entry point.

A merge called `age-average` is `tacit.merges.age_average`; a package of somebody else's adds one with

    [project.entry-points."tacit.merges"]
    my-merge = "my_package.my_merge"

Either way the module holds the part under one agreed attribute.
"""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoints, entry_points
from typing import Any

from tacit.core.errors import unknown


def names(package: str) -> list[str]:
    """Every known name in a package of parts, e.g. `names("tacit.merges")`."""
    return sorted({*_own(package), *(e.name for e in _outside(package))} - {"base"})


def find(package: str, attribute: str, name: str, what: str = "") -> Any:
    """The part called `name`, or an error that lists what there is; `what` it is called where it was asked for."""
    for entry in _outside(package):
        if entry.name == name and hasattr(entry.load(), attribute):
            return getattr(entry.load(), attribute)
    if name in _own(package):
        module = import_module(f"{package}.{name.replace('-', '_')}")
        if hasattr(module, attribute):
            return getattr(module, attribute)
    raise unknown(what or package.rsplit(".", 1)[-1].removesuffix("s"), name, offered(package, attribute))


def offered(package: str, attribute: str) -> dict[str, Any]:
    """Every part of a package that some module holds under `attribute`, by name; other modules are passed over."""
    loaded = {name: import_module(f"{package}.{name.replace('-', '_')}") for name in _own(package)}
    loaded |= {entry.name: entry.load() for entry in _outside(package)}
    return {name: getattr(module, attribute) for name, module in loaded.items() if hasattr(module, attribute)}


@cache
def _outside(group: str) -> EntryPoints:
    """What installed packages add; to look takes milliseconds, and a run asks dozens of times."""
    return entry_points(group=group)


def _own(package: str) -> list[str]:
    """The names a package's modules give; none for a group of entry points that is no package."""
    path = getattr(import_module(package), "__path__", [])
    return [m.name.replace("_", "-") for m in pkgutil.iter_modules(path) if not m.name.startswith("_")]
