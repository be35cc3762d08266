"""Row order: what stands for times where data has none, and when it cannot."""

from __future__ import annotations

import numpy as np

from tacit.core.errors import BadInput
from tacit.data.dataset import Dataset

BY_TIME = ("temporal", "temporal-visits")
"""Splits that need to know which row is later."""
_HANDFUL = 5
"""So few items with several rows may stand together by chance."""


def check_row_order(data: Dataset, kind: str) -> list[str]:
    """Refuse a split by time of data that has neither times nor rows in such an order; notes for the reader.

    A matrix has no order. In rows that are grouped by item the latest rows would be those of the last items.
    """
    if kind not in BY_TIME or data.table.time is not None:
        return []
    got = ""
    if not data.ordered:
        got = "no timestamps, and rows without an order, as in a matrix"
    elif _grouped_by_item(data):
        got = "no timestamps, and rows grouped by item"
    if got:
        allowed = "another split such as --set split=random-share, or a file or frame with a column timestamp"
        raise BadInput(f"split {kind}", got=got, allowed=allowed, where=data.name)
    return [
        "the data has no timestamps: rows count in their order, so the last rows of a user are the latest"
    ]


def _grouped_by_item(data: Dataset) -> bool:
    """Whether the rows of every item stand together, and that of more than a few items with several rows."""
    item = data.events["item"].to_numpy()
    counts = np.bincount(item)
    groups = 1 + np.count_nonzero(np.diff(item))
    return bool(groups == np.count_nonzero(counts) and np.count_nonzero(counts > 1) > _HANDFUL)
