"""Which category each item is of, as positions in a list of names."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import polars as pl

from tacit.core.errors import BadInput
from tacit.data.dataset import Dataset
from tacit.data.venues import top_category


def item_categories(dataset: Dataset) -> tuple[list[str], npt.NDArray[np.int32]]:
    """The names, and each item's place among them (-1: unknown). Foursquare's fine categories count as its top nine."""
    column = dataset.items["category"]
    if column.null_count() == len(column):
        raise BadInput(
            "evaluate.bias",
            got="no item category",
            allowed="data with a column category",
            where=dataset.name,
        )
    if dataset.name.startswith("foursquare"):
        fine = column.drop_nulls().unique().to_list()
        tops = {name: top_category(name) for name in fine}
        column = column.replace_strict(tops, return_dtype=pl.String, default=None)
    names = sorted(column.drop_nulls().unique().to_list())
    place = {name: n for n, name in enumerate(names)}
    return names, np.array([place.get(name, -1) for name in column.to_list()], np.int32)
