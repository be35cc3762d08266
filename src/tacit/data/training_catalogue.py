"""The catalogue as the training part has it: items that only the test part has are left out (`data.catalogue`).

FPL counts the items of its training sets (table 1: "the characteristics of the resulting training sets"), and cannot
recommend anything else.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl

from tacit.core.interactions import Interactions, Ints
from tacit.data.dataset import Dataset
from tacit.data.splits import Split


def only_training_items(dataset: Dataset, parts: Split) -> tuple[Dataset, Split]:
    """The data set and its parts without items that nobody can learn about; a validation part counts as training."""
    learned = [parts.train, *([parts.validation] if parts.validation is not None else [])]
    known = np.zeros(dataset.table.items, np.bool_)
    for part in learned:
        known[part.item] = True
    if known.all():
        return dataset, parts
    place = np.cumsum(known) - 1
    table, test = _without(dataset.table, known, place), _without(parts.test, known, place)
    lost, gone = len(parts.test) - len(test), int((~known).sum())
    note = (
        f"the catalogue is that of the training part: {gone:,} of {len(known):,} items are left out, "
        f"and {lost:,} of {len(parts.test):,} test interactions with them"
    )
    items = pl.Series(known)
    kept = items.gather(dataset.events["item"])
    events = dataset.events.filter(kept)
    smaller = replace(
        dataset,
        table=table,
        item_ids=dataset.item_ids[known],
        items=dataset.items.filter(items),
        events=events.with_columns(pl.Series("item", place[events["item"].to_numpy()], pl.Int32)),
    )
    return smaller, replace(
        parts,
        train=_without(parts.train, known, place),
        test=test,
        validation=None if parts.validation is None else _without(parts.validation, known, place),
        notes=[*parts.notes, note],
        visits=None if parts.visits is None else parts.visits[kept.to_numpy()],
    )


def _without(table: Interactions, known: np.ndarray, place: Ints) -> Interactions:
    """The entries about known items, in the numbers that these now have; a user's stay in ascending order."""
    left = table.take(known[table.item])
    return replace(left, item=place[left.item].astype(np.int32), items=int(known.sum()))
