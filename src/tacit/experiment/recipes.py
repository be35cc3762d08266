"""Recipes by name: `hegedus/gossip-merge` is `tacit/recipe_files/hegedus/gossip-merge.toml`; or a file of one's own.

Another package adds a folder of recipes, a package with .toml files in it, by entry point:

    [project.entry-points."tacit.recipes"]
    mine = "my_package.recipes"
"""

from __future__ import annotations

import tomllib
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from importlib.resources import files
from pathlib import Path
from typing import Any

from tacit.core.errors import BadInput, unknown
from tacit.core.part_files import is_part_file
from tacit.core.registry import KINDS, find, lasting

WITHOUT_A_RECIPE = {"split": "random-share", "split.share": 0.2}
"""What is held out of any data, however little somebody has. What is measured depends on the model."""


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
    for entry in entry_points(group="tacit.recipes"):
        with suppress(ImportError):  # a package that is broken must not take all other recipes along
            folders[entry.name] = files(entry.value)
    found = {}
    for group, folder in sorted(folders.items()):
        for file in sorted(folder.iterdir(), key=lambda f: f.name):
            if file.name.endswith(".toml"):
                name = f"{group}/{file.name.removesuffix('.toml')}"
                found[name] = _read(name, file.read_text(encoding="utf-8"))
    return found


def recipe(name: str) -> Recipe:
    """The recipe called `name`, or in the file `name` if that ends in .toml; else an error that lists what there is.

    A protocol's name is a recipe, too: the defaults of everything, and a fifth of each user's interactions held out.
    """
    if not isinstance(name, str):
        raise BadInput(
            "recipe", got=repr(name), allowed="a recipe's name; objects go by name: protocol=, model="
        )
    if name in recipes():
        return recipes()[name]
    if not name.endswith(".toml"):
        try:
            return protocol_alone(name)
        except BadInput:
            if "@" in name or is_part_file(name):
                raise
            where = "tacit recipes lists all; or the path of a .toml file"
            raise unknown("recipe", name, recipes(), where) from None
    try:
        return _read(name, Path(name).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(
            "recipe", got=name, allowed="a .toml file that can be read", where=str(error)
        ) from error
    except tomllib.TOMLDecodeError as error:
        raise BadInput("recipe", got=str(error), allowed="TOML: lines of key = value", where=name) from error


def protocol_alone(name: str) -> Recipe:
    """No recipe, only a protocol: all else has its default."""
    name = lasting("protocol", name)
    about = find(*KINDS["protocol"], name).about
    return Recipe(name, f"{about}; defaults", {"protocol": name, **WITHOUT_A_RECIPE})


def _read(name: str, text: str) -> Recipe:
    values = _flat(tomllib.loads(text))
    return Recipe(name, str(values.pop("about", "a recipe of one's own")), values)


def _flat(table: dict[str, Any], before: str = "") -> dict[str, Any]:
    """Dotted keys of one level, whether they were written quoted, dotted or as tables."""
    flat: dict[str, Any] = {}
    for key, value in table.items():
        flat |= _flat(value, f"{before}{key}.") if isinstance(value, dict) else {f"{before}{key}": value}
    return flat
