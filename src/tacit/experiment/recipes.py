"""Recipes by name: `hegedus/gossip-merge` is `tacit/recipe_files/hegedus/gossip-merge.toml`; or a file of one's own.

Another package adds a folder of recipes, a package with .toml files in it, by entry point:

    [project.entry-points."tacit.recipes"]
    mine = "my_package.recipes"
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from importlib.resources import files
from pathlib import Path
from typing import Any

from tacit.core.errors import BadInput, unknown


@dataclass(frozen=True, slots=True)
class Recipe:
    """A named set of parameters with one line about it."""

    name: str
    about: str
    parameters: dict[str, Any]


def recipes() -> dict[str, Recipe]:
    """Every recipe there is, by name."""
    return dict(_recipes())


@cache
def _recipes() -> dict[str, Recipe]:
    folders = {f.name: f for f in files("tacit.recipe_files").iterdir() if f.is_dir()}
    folders |= {entry.name: files(entry.value) for entry in entry_points(group="tacit.recipes")}
    found = {}
    for group, folder in sorted(folders.items()):
        for file in sorted(folder.iterdir(), key=lambda f: f.name):
            if file.name.endswith(".toml"):
                name = f"{group}/{file.name.removesuffix('.toml')}"
                found[name] = _read(name, file.read_text(encoding="utf-8"))
    return found


def recipe(name: str) -> Recipe:
    """The recipe called `name`, or in the file `name` if that ends in .toml; else an error that lists what there is."""
    if name in recipes():
        return recipes()[name]
    if not name.endswith(".toml"):
        raise unknown("recipe", name, recipes(), where="or the path of a .toml file")
    try:
        return _read(name, Path(name).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(
            "recipe", got=name, allowed="a .toml file that can be read", where=str(error)
        ) from error
    except tomllib.TOMLDecodeError as error:
        raise BadInput("recipe", got=str(error), allowed="TOML: lines of key = value", where=name) from error


def _read(name: str, text: str) -> Recipe:
    values = _flat(tomllib.loads(text))
    return Recipe(name, str(values.pop("about", "a recipe of one's own")), values)


def _flat(table: dict[str, Any], before: str = "") -> dict[str, Any]:
    """Dotted keys of one level, whether they were written quoted, dotted or as tables."""
    flat: dict[str, Any] = {}
    for key, value in table.items():
        flat |= _flat(value, f"{before}{key}.") if isinstance(value, dict) else {f"{before}{key}": value}
    return flat
