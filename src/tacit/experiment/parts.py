"""Parts with parameters of their own: a model's `model.k`, a merge's `merge.degree`. They stand in the part's file."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from tacit.core.kinds import Parameter, Value
from tacit.core.registry import find

PARTS = {"model": "tacit.models", "merge": "tacit.merges", "baseline": "tacit.baselines"}
"""Which package the parts named by a parameter are found in."""


def own_parameters(kind: str, name: str) -> dict[str, Parameter]:
    """The parameters a part declares with `setting`, by their full keys."""
    table = {}
    for field in fields(find(PARTS[kind], kind, name)):
        if "kind" in field.metadata:
            default: Any = field.default
            key = f"{kind}.{field.name}"
            table[key] = Parameter(key, default, field.metadata["help"], field.metadata["kind"])
    return table


def build_part(kind: str, parameters: dict[str, Value], **more: Any) -> Any:
    """The part that `parameters[kind]` names, with its own parameters; `more` fills fields that come from data."""
    found: Any = find(PARTS[kind], kind, str(parameters[kind]))
    prefix = f"{kind}."
    own = {key.removeprefix(prefix): value for key, value in parameters.items() if key.startswith(prefix)}
    known = {field.name for field in fields(found)}
    return found(**{name: value for name, value in {**own, **more}.items() if name in known})
