"""Leaving out rare items and rare users, in the order of the PEPPER paper."""

from __future__ import annotations

import polars as pl

from tacit.core.errors import BadInput


def filter_rows(rows: pl.DataFrame, min_user: int = 0, min_item: int = 0) -> tuple[pl.DataFrame, list[str]]:
    """First the items with `min_item` or more distinct users, then the users with `min_user` or more rows
    left.

    One pass: a user who leaves may bring an item below its limit again. That is how the usual figures come
    about (Foursquare-NYC with 10 and 10: 965 users, 1,211 places; repeated until nothing changes: 950 and
    1,167). Repeated rows of one pair, such as check-ins, count for the user each time.
    """
    for name, least in (("data.min_user", min_user), ("data.min_item", min_item)):
        if least < 0:
            raise BadInput(name, got=least, allowed="a whole number from 0")
    if max(min_user, min_item) <= 1:
        return rows, []
    before = _counts(rows)
    if min_item > 1:
        rows = rows.filter(pl.col("user").n_unique().over("item") >= min_item)
    if min_user > 1:
        rows = rows.filter(pl.len().over("user") >= min_user)
    after = _counts(rows)
    if min(after[:2]) < 2:
        left = "nothing" if not after[2] else f"{after[0]:,} users and {after[1]:,} items"
        raise BadInput(
            f"data.min_user={min_user} with data.min_item={min_item} leaves too little",
            got=f"{left} of {before[0]:,} users, {before[1]:,} items, {before[2]:,} rows",
            allowed="limits that leave 2 users and 2 items",
        )
    if after == before:
        return rows, []
    note = f"filters kept {after[0]:,} of {before[0]:,} users, {after[1]:,} of {before[1]:,} items"
    return rows, [f"{note} and {after[2]:,} of {before[2]:,} rows"]


def _counts(rows: pl.DataFrame) -> tuple[int, int, int]:
    return rows["user"].n_unique(), rows["item"].n_unique(), len(rows)
