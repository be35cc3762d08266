"""Filters: leave out rare items and users, or keep only the dense or the sparse users.

Both are as in the PEPPER paper. It does not say what it clustered users by to get its dense and sparse MovieLens-100K.
Here k-means makes three clusters by the logarithm of how many items a user has. The dense one has the most items per
user, the sparse one the fewest. Items that no remaining user has are left out.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from tacit.core.errors import BadInput
from tacit.core.math.kmeans import kmeans
from tacit.core.rng import Stream


def keep_rated(rows: pl.DataFrame, min_rating: float | None) -> tuple[pl.DataFrame, list[str]]:
    """The rows with this rating or a higher one: what counts as liked where only that matters."""
    if min_rating is None:
        return rows, []
    kept = rows.filter(pl.col("rating") >= min_rating)
    if kept["user"].n_unique() < 2 or kept["item"].n_unique() < 2:
        low, high = (float(rows["rating"].to_numpy().min()), float(rows["rating"].to_numpy().max()))
        raise BadInput(
            "data.min_rating",
            got=f"{min_rating:g}, which leaves too little",
            allowed=f"{low:g} to {high:g}, and 2 users and 2 items left",
        )
    if len(kept) == len(rows):
        return rows, []
    return kept, [f"ratings from {min_rating:g} count as liked: {len(kept):,} of {len(rows):,} rows kept"]


def filter_rows(rows: pl.DataFrame, min_user: int = 0, min_item: int = 0) -> tuple[pl.DataFrame, list[str]]:
    """Keep the items with `min_item` or more distinct users, then the users with `min_user` or more rows left.

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


def keep_density(rows: pl.DataFrame, density: str) -> tuple[pl.DataFrame, list[str]]:
    """The rows of the users in the cluster asked for, and a line that says how many they are."""
    if density == "all":
        return rows, []
    users = (
        rows.group_by("user", maintain_order=True).agg(pl.col("item").n_unique().alias("count")).sort("user")
    )
    counts = users["count"].to_numpy().astype(np.float64)
    label = kmeans(np.log(counts)[:, None], 3, seed=0, stream=Stream.CLUSTERS, rounds=100)
    means = {cluster: counts[label == cluster].mean() for cluster in np.unique(label)}
    chosen = max(means, key=means.__getitem__) if density == "dense" else min(means, key=means.__getitem__)
    kept = rows.filter(pl.col("user").is_in(users["user"].filter(pl.Series(label == chosen)).implode()))
    left, items = kept["user"].n_unique(), kept["item"].n_unique()
    pairs = kept.select("user", "item").n_unique()
    note = f"{density} users: {left:,} of {len(users):,}, {items:,} items, sparsity {1 - pairs / (left * items):.2f}"
    return kept, [note]


def _counts(rows: pl.DataFrame) -> tuple[int, int, int]:
    return rows["user"].n_unique(), rows["item"].n_unique(), len(rows)
