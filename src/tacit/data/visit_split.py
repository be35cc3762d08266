"""A split of visits: whole check-ins are held out, not (user, item) pairs, so a held-out place may be a known one.

The PEPPER paper does not say which visits of the test part count for next places (section 5.3). A split of pairs holds
out places that a person had not been to. A split of visits counts every place of the held-out visits.
"""

from __future__ import annotations

import numpy as np

from tacit.core.interactions import Interactions
from tacit.data.dataset import Dataset, table_of
from tacit.data.duplicates import one_per_pair
from tacit.data.splits import TEST, TRAIN, VALIDATION, Split, split

VISITS = {"random-visits": "random-share", "temporal-visits": "temporal"}
"""By the split of pairs that chooses alike."""


def visit_split(
    data: Dataset, kind: str, *, seed: int, share: float | None = None, validation: bool = False
) -> Split:
    """Hold out floor(share * visits) of each user: random ones (default 0.15), or the latest (default 0.2).

    The table of a part has every place of its visits once. Places of the test part that are in the training part, too,
    stay candidates for lists.

        parts = visit_split(load("foursquare-nyc"), "random-visits", seed=0)
    """
    rows = len(data.events)
    times = data.events["timestamp"].fill_null(-1)
    # Each visit stands as an item of its own, so that visits are divided as pairs are.
    each = Interactions.from_pairs(
        data.events["user"], np.arange(rows), None, times, users=data.users, items=rows
    )
    divided = split(each, VISITS[kind], seed=seed, share=share, validation=validation)
    parts = np.full(rows, TRAIN, np.int8)
    parts[divided.test.item] = TEST
    if divided.validation is not None:
        parts[divided.validation.item] = VALIDATION
    train, test, checked = (
        _places(data, np.flatnonzero(parts == part)) for part in (TRAIN, TEST, VALIDATION)
    )
    return Split(
        train=train,
        test=test,
        validation=checked if validation else None,
        kind=kind,
        parameters=divided.parameters,
        notes=[*divided.notes, _known(train, checked if validation else test)],
        visits=parts,
    )


def _places(data: Dataset, rows: np.ndarray) -> Interactions:
    """Every place of these visits once, as the latest of them has it."""
    pairs, _ = one_per_pair(data.events[rows], "latest", data.user_ids, data.item_ids, trusted=True)
    return table_of(pairs, data.users, data.table.items)


def _known(train: Interactions, held: Interactions) -> str:
    """How many held-out places are known ones, for the reader."""
    ours, theirs = (t.user.astype(np.int64) * t.items + t.item for t in (held, train))
    known = int(np.isin(ours, theirs).sum())
    return (
        f"visits are split: {known:,} of {len(held):,} held-out places are ones that their user has been to, and lists "
        "may have such places"
    )
