"""Ids: the source's own become positions 0, 1, 2 ... in ascending order."""

from __future__ import annotations

import numpy as np
import polars as pl

from tacit.core.interactions import Texts


def positions(column: pl.Series) -> tuple[pl.Series, Texts]:
    """The position of every entry (int32), and the id of every position as text.

    Whole numbers go by value, anything else by its text, so "ascending item order" is always the same.

    >>> positions(pl.Series(["10", "9", "10"]))[1].tolist()
    ['9', '10']
    """
    distinct = column.unique()
    if distinct.dtype == pl.String:
        numbers = distinct.cast(pl.Int64, strict=False)
        if numbers.null_count() == 0:
            # "7" and "07" are two ids of one value: their texts decide.
            distinct = pl.DataFrame({"number": numbers, "text": distinct}).sort("number", "text")["text"]
        else:
            distinct = distinct.sort()
    else:
        distinct = distinct.sort()
    numbered = pl.int_range(len(distinct), dtype=pl.Int32, eager=True)
    place = column.replace_strict(distinct, numbered, return_dtype=pl.Int32)
    return place, np.array(distinct.cast(pl.String).to_list(), dtype=np.str_)
