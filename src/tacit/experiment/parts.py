"""Parts with parameters of their own: a model's `model.k`, a merge's `merge.degree`. They stand in the part's file."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from tacit.core.kinds import Parameter, Value
from tacit.core.registry import find

PARTS = {
    "model": ("tacit.models", "model"),
    "merge": ("tacit.merges", "merge"),
    "peers": ("tacit.peers", "sampler"),
    "shield": ("tacit.shields", "shield"),
    "baseline": ("tacit.baselines", "baseline"),
}
"""Which package the parts named by a parameter are found in, and what their modules call them."""


def own_parameters(kind: str, name: str) -> dict[str, Parameter]:
    """The parameters a part declares with `setting`, by their full keys."""
    table = {}
    for field in fields(find(*PARTS[kind], name, kind)):
        if "kind" in field.metadata:
            default: Any = field.default
            key = f"{kind}.{field.name}"
            told = field.metadata
            table[key] = Parameter(key, default, told["help"], told["kind"], told.get("later", False))
    return table


def build_part(kind: str, parameters: dict[str, Value], **more: Any) -> Any:
    """The part that `parameters[kind]` names, with its own parameters; `more` fills fields that come from data."""
    found: Any = find(*PARTS[kind], str(parameters[kind]), kind)
    prefix = f"{kind}."
    own = {key.removeprefix(prefix): value for key, value in parameters.items() if key.startswith(prefix)}
    known = {field.name for field in fields(found)}
    return found(**{name: value for name, value in {**own, **more}.items() if name in known})
