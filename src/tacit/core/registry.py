"""The registry: models, merges, protocols and other parts, found by name and built from settings.

Built-in parts are modules of a package, outside ones come by entry point. A merge called `age-average` is
`tacit.merges.age_average`; another package adds one with

    [project.entry-points."tacit.merges"]
    my-merge = "my_package.my_merge"

Either way the module holds the part under one agreed attribute. A part is a frozen dataclass, and the settings that
it declares (`model.k`, `merge.degree`) are in its file.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoints, entry_points
from pathlib import Path
from typing import Any

from tacit.core.errors import unknown
from tacit.core.settings import Setting, settings_of

PARTS = {
    "model": ("tacit.models", "model"),
    "merge": ("tacit.merges", "merge"),
    "peers": ("tacit.peer_sampling", "sampler"),
    "shield": ("tacit.privacy", "shield"),
    "baseline": ("tacit.baselines", "baseline"),
}
"""Which package the parts named by a parameter are found in, and what their modules call them."""
GROUPS = {"tacit.peer_sampling": "tacit.peers", "tacit.privacy": "tacit.shields"}
"""Groups of entry points that are named by the setting and not by the package; published names stay."""


def find(package: str, attribute: str, name: str, what: str = "") -> Any:
    """The part called `name`, or an error that lists what there is. `what` names the setting in the error."""
    for entry in _outside(package):
        if entry.name == name and hasattr(entry.load(), attribute):
            return getattr(entry.load(), attribute)
    module = _own(package, attribute).get(name)
    if module is not None and hasattr(import_module(module), attribute):
        return getattr(import_module(module), attribute)
    raise unknown(what or package.rsplit(".", 1)[-1].removesuffix("s"), name, offered(package, attribute))


def offered(package: str, attribute: str) -> dict[str, Any]:
    """Every part of a package that some module holds under `attribute`, by name; other modules are passed over."""
    loaded = {name: import_module(module) for name, module in _own(package, attribute).items()}
    own = {name: getattr(module, attribute) for name, module in loaded.items() if hasattr(module, attribute)}
    return own | added(package, attribute)


def added(package: str, attribute: str) -> dict[str, Any]:
    """The parts that installed packages add by entry point, by name."""
    loaded = {entry.name: entry.load() for entry in _outside(package)}
    return {name: getattr(module, attribute) for name, module in loaded.items() if hasattr(module, attribute)}


def part_settings(kind: str, name: str) -> Mapping[str, Setting]:
    """The settings that a part declares, by their full names."""
    return settings_of(find(*PARTS[kind], name, kind), f"{kind}.")


def build_part(kind: str, flat: Mapping[str, Any], **more: Any) -> Any:
    """The part that `flat[kind]` names, with its own settings; `more` fills fields that come from data."""
    return construct(find(*PARTS[kind], str(flat[kind]), kind), flat, f"{kind}.", **more)


def construct(owner: type, flat: Mapping[str, Any], prefix: str = "", **more: Any) -> Any:
    """A record from settings by name; `more` are fields that users do not set, dropped where there is no such field."""
    values = {
        one.field: build_part(one.part, flat) if one.part else flat[key]
        for key, one in settings_of(owner, prefix).items()
        if key in flat
    }
    known = {one.name for one in fields(owner) if one.init}
    return owner(**values, **{name: value for name, value in more.items() if name in known})


@cache
def _outside(package: str) -> EntryPoints:
    """What installed packages add; to look takes milliseconds, and a run asks dozens of times."""
    return entry_points(group=GROUPS.get(package, package))


def _own(package: str, attribute: str) -> dict[str, str]:
    """The modules of a package by the names they give. A folder's part is in the file named by the attribute."""
    path = getattr(import_module(package), "__path__", [])
    return {
        m.name.replace("_", "-"): f"{package}.{m.name}" + (f".{attribute}" if m.ispkg else "")
        for m in pkgutil.iter_modules(path)
        if not m.ispkg or any((Path(folder) / m.name / f"{attribute}.py").is_file() for folder in path)
    }
