"""A client's own csv: one person's (`item[,rating][,timestamp]`), or an organization's (`user` beside it).

Items must be in the federation's public list. A column `split` says what is held out (train, test); without one the
recipe's split does. Nothing of this file leaves the client but what a rule's answer releases.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from tacit.core.errors import BadInput
from tacit.data.columns import pick
from tacit.data.dataset import Dataset, given_parts, table_of
from tacit.data.duplicates import one_per_pair
from tacit.data.files import header_of, open_table
from tacit.data.given_split import given_split
from tacit.data.ids import positions
from tacit.data.read_interactions import check_rows, rows_of
from tacit.data.splits import KINDS, Split, everything, split
from tacit.interop.flower.federation import Federation

_ALONE = "me"
"""The only person in a csv without a column `user`."""


@dataclass(frozen=True, slots=True)
class OwnData:
    """The people of one client: what they have, and which part of it is held out."""

    dataset: Dataset
    split: Split


def read_own(path: Path, federation: Federation) -> OwnData:
    """Read, check, number by the public list, and divide."""
    rows = _rows(path)
    item = _positions(rows["item"], federation.items, path)
    if federation.parameters["evaluate"] == "rating":
        _check_scale(rows["rating"], federation.scale, path)
    user, user_ids = positions(rows["user"])
    rows = rows.with_columns(user, item)
    item_ids = np.array(federation.items, dtype=np.str_)
    pairs, notes = one_per_pair(rows, "auto", user_ids, item_ids, trusted=False, where=path.name)
    dataset = Dataset(
        name=path.stem,
        sha256="",
        table=table_of(pairs, len(user_ids), len(item_ids)),
        user_ids=user_ids,
        item_ids=item_ids,
        events=rows,
        items=pl.DataFrame({"item": federation.items, "title": federation.titles}),
        scale=federation.scale,
        notes=notes,
        given=given_parts(pairs, len(item_ids)) if "split" in pairs.columns else None,
    )
    return OwnData(dataset, _divide(dataset, federation))


def _rows(path: Path) -> pl.DataFrame:
    names = header_of(path)
    alone = not {"user", "userid", "user_id"} & {name.strip().lower() for name in names}
    used = pick([*names, "user"] if alone else names, path.name)
    frame = open_table(path, [name for name in used if name in names])
    if alone:
        frame = frame.with_columns(user=pl.lit(_ALONE))
    return check_rows(frame, rows_of(path))


def _positions(column: pl.Series, items: list[str], path: Path) -> pl.Series:
    texts = column.cast(pl.String)
    places = texts.replace_strict(
        pl.Series(items, dtype=pl.String),
        pl.int_range(len(items), dtype=pl.Int32, eager=True),
        default=None,
        return_dtype=pl.Int32,
    )
    odd = texts.filter(places.is_null()).unique(maintain_order=True)
    if len(odd):
        more = f" and {len(odd) - 1:,} more" if len(odd) > 1 else ""
        allowed = f"ids of the federation's {len(items):,} items, in items.json, such as {items[0]}"
        raise BadInput("item", got=f'"{odd[0][:40]}"{more}', allowed=allowed, where=path.name)
    return places.alias("item")


def _check_scale(ratings: pl.Series, scale: tuple[float, float], path: Path) -> None:
    low, high = scale
    odd = ratings.filter((ratings < low) | (ratings > high))
    if len(odd):
        allowed = f"{low:g} to {high:g}, the federation's scale"
        raise BadInput("rating", got=f"{odd[0]:g} in {len(odd):,} rows", allowed=allowed, where=path.name)


def _divide(dataset: Dataset, federation: Federation) -> Split:
    """As the file says, else as the recipe says; people with too little for a test part learn from all they have."""
    own = federation.settings.split
    if dataset.given is not None:
        if (dataset.events["split"].str.strip_chars().str.to_lowercase() == "train").all():
            return everything(dataset.table)
        return given_split(dataset, None, seed=federation.seed, validation=False)
    kind = own.kind if own.kind in KINDS else "random-share"
    with suppress(BadInput):
        return split(dataset.table, kind, seed=federation.seed, n=own.n, share=own.share)
    return everything(dataset.table)
