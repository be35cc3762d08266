"""Recipes by name: `hegedus/gossip-merge` is `tacit/recipe_files/hegedus/gossip-merge.toml`; or a file of one's own.

Another package adds a folder of recipes, a package with .toml files in it, by entry point:

    [project.entry-points."tacit.recipes"]
    mine = "my_package.recipes"
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoints, entry_points
from importlib.resources import files
from pathlib import Path
from textwrap import shorten
from typing import Any

from tacit.core.errors import BadInput, unknown
from tacit.core.part_files import is_part_file
from tacit.core.registry import KINDS, find, lasting
from tacit.core.where import where_raised

WITHOUT_A_RECIPE = {"split": "random-share", "split.share": 0.2}
"""What is held out of any data, however little somebody has. What is measured depends on the model."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """Settings under a name, with one line about it."""

    name: str
    about: str
    parameters: dict[str, Any]


class Recipes(dict[str, Recipe]):
    """Recipes by name; a name that is none of them is an error that says which could be meant."""

    def __missing__(self, name: str) -> Recipe:
        raise unknown("recipe", str(name), self)


def recipes() -> Recipes:
    """Every recipe there is, by name."""
    return Recipes({name: one for name, one in _tried().items() if isinstance(one, Recipe)})


def broken() -> dict[str, BadInput]:
    """Recipes of installed packages that cannot be read, and why: of a whole folder (`mine`) or one (`mine/slow`)."""
    return {name: one for name, one in _tried().items() if isinstance(one, BadInput)}


@cache
def _tried() -> dict[str, Recipe | BadInput]:
    """Every recipe, or what is wrong with it: one that is broken takes no other along."""
    found: dict[str, Recipe | BadInput] = {}
    folders = {f.name: f for f in files("tacit.recipe_files").iterdir() if f.is_dir()}
    for entry in _outside():
        try:
            if entry.name in folders:
                raise BadInput(f"recipes {entry.name}", got="a name that is taken", allowed="another name")
            folders[entry.name] = files(entry.value)
        except (Exception, SystemExit) as error:
            found[entry.name] = _explained(f"recipes {entry.name}", error, entry.value)
    for group, folder in sorted(folders.items()):
        for file in sorted(folder.iterdir(), key=lambda f: f.name):
            if file.name.endswith(".toml"):
                name = f"{group}/{file.name.removesuffix('.toml')}"
                try:
                    found[name] = _read(name, file.read_text(encoding="utf-8"))
                except (OSError, ValueError) as error:
                    found[name] = _explained(f"recipe {name}", error, file)
    return found


def _outside() -> EntryPoints:
    return entry_points(group="tacit.recipes")


def _explained(what: str, error: BaseException, where: object) -> BadInput:
    if isinstance(error, BadInput):
        return error
    return BadInput(
        f"{what} cannot be read: {type(error).__name__}: {error}", where=where_raised(error) or where
    )


def recipe(name: str) -> Recipe:
    """The recipe called `name`, or in the file `name` if that ends in .toml; else an error that lists what there is.

    A protocol's name is a recipe, too: the defaults of everything, and a fifth of each user's interactions held out.
    """
    if not isinstance(name, str):
        allowed = "a recipe's name; objects go by name: protocol=, model="
        raise BadInput("recipe", got=shorten(repr(name), 60), allowed=allowed)
    if name in recipes():
        return recipes()[name]
    for group in (name, name.partition("/")[0]):
        if group in broken():
            raise broken()[group]
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
    return Recipe(name, str(values.pop("about", "a recipe of your own")), values)


def _flat(table: dict[str, Any], before: str = "") -> dict[str, Any]:
    """Dotted keys of one level, whether they were written quoted, dotted or as tables."""
    flat: dict[str, Any] = {}
    for key, value in table.items():
        flat |= _flat(value, f"{before}{key}.") if isinstance(value, dict) else {f"{before}{key}": value}
    return flat
