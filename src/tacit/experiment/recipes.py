"""Recipes by name: `hegedus/gossip-merge` is `tacit/recipes/hegedus/gossip-merge.toml`."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from tacit.core.errors import unknown


@dataclass(frozen=True, slots=True)
class Recipe:
    """A named set of parameters with one line about it."""

    name: str
    about: str
    parameters: dict[str, Any]


@cache
def recipes() -> dict[str, Recipe]:
    """Every recipe there is, by name."""
    found = {}
    for folder in sorted(files("tacit.recipes").iterdir(), key=lambda f: f.name):
        if not folder.is_dir():
            continue
        for file in sorted(folder.iterdir(), key=lambda f: f.name):
            if file.name.endswith(".toml"):
                name = f"{folder.name}/{file.name.removesuffix('.toml')}"
                values = tomllib.loads(file.read_text(encoding="utf-8"))
                found[name] = Recipe(name, values.pop("about"), values)
    return found


def recipe(name: str) -> Recipe:
    """The recipe called `name`, or an error that lists the known ones."""
    if name not in recipes():
        raise unknown("recipe", name, recipes())
    return recipes()[name]
