"""What people disclose, as they set it: a share pi for all or a file with one each, and which kinds of items at all.

The papers let people choose "the portion and type of data they want to share" (FedeRank, abstract). The portion is
`pi`. The type is `disclose`: what a person likes, some categories, or everything but a list of items.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt

from tacit.core.errors import BadInput, unknown
from tacit.core.interactions import Texts
from tacit.core.settings import Value, is_table
from tacit.data.categories import belongs_to, item_labels
from tacit.data.dataset import Dataset
from tacit.data.per_user_file import missing_note, read_columns, read_per_user

Mask = npt.NDArray[np.bool_]
TYPES = "all, likes, likes:RATING, category:NAME,..., not:NAME,... or a .csv, .tsv or .parquet file with user,item"
_LIKED = 0.625
"""Where likes begin on a scale: 3.5 of 1 to 5, as on a live node."""


def read_pi(value: Value, user_ids: Texts) -> tuple[npt.NDArray[np.float64] | None, list[str]]:
    """Every user's pi (None where all disclose all), and notes for the reader.

    A user who is not in a file has authorized nothing, and discloses nothing.
    """
    if not isinstance(value, str):
        pi = 1.0 if value is None else float(value)
        return (None if pi == 1 else np.full(len(user_ids), pi)), []
    each = read_per_user("pi", value, user_ids, lambda pi: 0 <= pi <= 1, "a number from 0, at most 1")
    if bool((each == 1).all()):
        return None, []
    return np.nan_to_num(each, nan=0.0), missing_note(each, value, "they disclose nothing (pi 0)")


def read_type(text: str) -> str:
    """A checked value of `disclose`. Raises ValueError for any other text."""
    kind, colon, names = text.partition(":")
    if is_table(text) or text in ("all", "likes"):
        return text
    if colon and kind == "likes":
        float(names)
        return text
    if colon and kind in ("category", "not") and all(name.strip() for name in names.split(",")):
        return text
    raise ValueError(text)


def may_leave(value: str, dataset: Dataset) -> Mask | None:
    """Which entries of the data set's table `disclose` lets out at all; None: all of them."""
    kind, _, rest = value.partition(":")
    if value == "all":
        return None
    if is_table(value):
        return ~_listed(Path(value).expanduser(), dataset)
    if kind == "likes":
        return _liked(rest, dataset)
    names = [name.strip() for name in rest.split(",")]
    labels = item_labels(dataset, "disclose")
    for name in names:
        if name not in labels:
            raise unknown("disclose: category", name, labels, dataset.name)
    chosen = belongs_to(dataset, names)[dataset.table.item]
    return chosen if kind == "category" else ~chosen


def _liked(rating: str, dataset: Dataset) -> Mask:
    low, high = dataset.scale
    if low == high:
        allowed = "data with ratings that differ"
        raise BadInput("disclose", got="likes", allowed=allowed, where=dataset.name)
    least = float(rating) if rating else low + _LIKED * (high - low)
    if not low <= least <= high:
        allowed = f"likes:RATING with a rating from {low:g} to {high:g}"
        raise BadInput("disclose", got=f"likes:{rating}", allowed=allowed, where=dataset.name)
    liked: Mask = dataset.table.value >= least
    return liked


def _listed(path: Path, dataset: Dataset) -> Mask:
    """The entries of a file user,item; one clear line for a pair that nobody has."""
    rows = read_columns("disclose", path, ("user", "item"))
    table = dataset.table
    user = {str(one): n for n, one in enumerate(dataset.user_ids.tolist())}
    item = {str(one): n for n, one in enumerate(dataset.item_ids.tolist())}
    keys = table.user.astype(np.int64) * table.items + table.item
    listed = np.zeros(len(table), np.bool_)
    for who, what in rows.iter_rows():
        for kind, name, known in (("user", who, user), ("item", what, item)):
            if name not in known:
                raise BadInput("disclose", got=f"{kind} {name}", allowed="those of the data set", where=path)
        key = user[who] * table.items + item[what]
        at = int(np.searchsorted(keys, key))
        if at == len(keys) or keys[at] != key:
            allowed = "items that the user has"
            raise BadInput("disclose", got=f"item {what} of user {who}", allowed=allowed, where=path)
        listed[at] = True
    return listed
