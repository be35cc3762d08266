"""The busiest or the quietest users only, as PEPPER's dense and sparse MovieLens-100K: k-means over users.

The paper does not say what it clustered users by. Here it is the logarithm of how many items a user has, in three
clusters; the dense one has the most items a user, the sparse one the fewest. Items that nobody left has are gone.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from tacit.core.kmeans import kmeans
from tacit.core.rng import Stream

DENSITIES = ("all", "dense", "sparse")


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
