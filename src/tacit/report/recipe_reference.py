"""The recipe reference docs/reference/recipes.md, written from the recipes themselves (`tacit recipes --markdown`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from tacit.core.settings import Setting
from tacit.experiment.recipes import Recipe, recipes
from tacit.experiment.run_settings import known, settle

_HEAD = """# Recipes

Written by `tacit recipes --markdown`; a test keeps it true. Every recipe runs on any data set with
`tacit run RECIPE --data DATA`, and takes any setting below with `--set KEY=VALUE`; `tacit show RECIPE` prints all of
its values.
"""


def recipes_page(groups: Mapping[str, Recipe] | None = None) -> str:
    """Markdown: every recipe with what sets it apart, then every setting with its meaning."""
    listed = list((recipes() if groups is None else groups).values())
    parts = [_HEAD]
    for group, members in groupby(listed, key=lambda recipe: recipe.name.partition("/")[0]):
        parts += [f"## {group}\n", *map(_recipe, members)]
    parts += ["## Every setting\n", _parameters(listed)]
    return "\n".join(parts)


def _recipe(recipe: Recipe) -> str:
    table, values = known(recipe.parameters), settle(recipe.parameters, {})
    own = [f"`{key}={_value(value)}`" for key, value in values.items() if value != table[key].default]
    return f"**{recipe.name}**: {recipe.about}.  \n{', '.join(own) or 'all defaults'}\n"


def _parameters(listed: Sequence[Recipe]) -> str:
    """One row per setting; where recipes' parts disagree on default or meaning, one row each."""
    found: dict[tuple[str, str], tuple[Setting, set[str]]] = {}
    everyone = {recipe.name for recipe in listed}
    for recipe in listed:
        for parameter in known(recipe.parameters).values():
            entry = found.setdefault((parameter.key, parameter.help), (parameter, set()))
            entry[1].add(recipe.name)
    rows = ["| key | default | meaning | allowed | of |", "|---|---|---|---|---|"]
    for parameter, users in found.values():
        cells = (f"`{parameter.key}`", _value(parameter.default), parameter.help, parameter.allowed)
        of = "all" if users == everyone else _short(users)
        rows.append("| " + " | ".join(cell.replace("|", "\\|") for cell in (*cells, of)) + " |")
    return "\n".join(rows) + "\n"


def _short(names: Iterable[str], most: int = 3) -> str:
    listed = sorted(names)
    more = f" and {len(listed) - most} more" if len(listed) > most else ""
    return ", ".join(listed[:most]) + more


def _value(value: object) -> str:
    return "none" if value is None else str(value)
