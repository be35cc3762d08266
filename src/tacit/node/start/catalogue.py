"""Keys and titles of a data set's items, as the node's own catalogue writes them.

A title gives the key that an import of a service's export would give (`film:t:night ferry:2010`). An item without a
title keeps its id (`csv:1193`); an id that is a key stands for itself. Two items of one key are one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tacit.core.errors import BadInput
from tacit.core.interactions import Interactions
from tacit.node.catalogue import item_keys
from tacit.node.importers.build_ratings import full_title
from tacit.node.importers.movielens import split_title

NOWHERE = -1


@dataclass(frozen=True, slots=True)
class Catalogue:
    """Keys, titles and years, and which of them each item of the data set is."""

    keys: list[str]
    titles: list[str]
    years: list[int | None]
    places: npt.NDArray[np.int64]
    """By the item's position in the data set; NOWHERE for an item of which no key can be made."""


def catalogue_of(
    ids: Sequence[str], titles: Sequence[str | None], years: Sequence[int | None], kind: str = "film"
) -> Catalogue:
    """The catalogue of items with these ids, titles and years, which are all of one kind."""
    if kind not in item_keys.KINDS:
        raise BadInput("kind", got=kind, allowed=", ".join(item_keys.KINDS))
    found = Catalogue([], [], [], np.full(len(ids), NOWHERE, np.int64))
    known: dict[str, int] = {}
    for position, (own, title, year) in enumerate(zip(ids, titles, years, strict=True)):
        try:
            key, text, when = _entry(own, title or "", year, kind)
        except BadInput:
            continue
        if key not in known:
            known[key] = len(known)
            found.keys.append(key)
            found.titles.append(text)
            found.years.append(when)
        found.places[position] = known[key]
    return found


def merged(table: Interactions, catalogue: Catalogue) -> Interactions:
    """The table by places in the catalogue: of two items of one key a person has the one rated higher."""
    place, user = catalogue.places[table.item], table.user
    order = np.lexsort((-table.value, place, user))
    order = order[place[order] != NOWHERE]
    u, p = user[order], place[order]
    first = np.ones(len(order), np.bool_)
    first[1:] = (u[1:] != u[:-1]) | (p[1:] != p[:-1])
    values = table.value[order]
    return Interactions.from_pairs(
        u[first], p[first], values[first], users=table.users, items=len(catalogue.keys)
    )


def _entry(own: str, title: str, year: int | None, kind: str) -> tuple[str, str, int | None]:
    if not title.strip():
        key = item_keys.csv_key(own)
        return key, item_keys.display_title(key), item_keys.year_of(key)
    bare, dated = split_title(title)
    when = dated or year
    if kind in ("film", "series"):
        key = item_keys.title_key(kind, bare, item_keys.year_text(when))
    elif kind == "book":
        key = item_keys.book_key(bare)
    elif kind == "album":
        key = item_keys.album_key(bare, "")
    else:
        key = item_keys.artist_key(bare)
    item_keys.check_key(key)
    return key, full_title(kind, bare, when, ""), when
