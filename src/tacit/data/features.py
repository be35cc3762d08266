"""Item features: genres and categories as numbers, item by item."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from tacit.core.interactions import Ints


@dataclass(frozen=True, slots=True, eq=False)
class Features:
    """Item i has the features feature[start[i]:start[i+1]], ascending."""

    start: Ints
    feature: npt.NDArray[np.int32]
    names: list[str]


def item_features(items: pl.DataFrame) -> Features:
    """The genres (Comedy|Drama) and the category of every item; none where nothing is known.

    >>> item_features(pl.DataFrame({"genres": ["Comedy|Drama", None, "Drama"]})).names
    ['genres Comedy', 'genres Drama']
    """
    said: list[set[str]] = [set() for _ in range(len(items))]
    for column in ("genres", "category"):
        if column in items.columns:
            for found, text in zip(said, items[column].to_list(), strict=True):
                found.update(f"{column} {word.strip()}" for word in (text or "").split("|") if word.strip())
    names = sorted(set().union(*said)) if said else []
    number = {name: n for n, name in enumerate(names)}
    start = np.concatenate(([0], np.cumsum([len(found) for found in said]))).astype(np.int64)
    flat = [number[name] for found in said for name in sorted(found)]
    return Features(start, np.array(flat, np.int32), names)
