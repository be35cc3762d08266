"""Synthetic data: invented interactions of any size that behave like real ones.

Popularity and activity have heavy tails. Users and items have tastes in a few dimensions. Users prefer items near their
own taste and their own town, and rate them accordingly, so there is something to learn. The numbers of users, items and
interactions come out exactly: every user and every item occurs, and no pair occurs twice.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from tacit.core.compiled.threads import Workers
from tacit.core.errors import BadInput
from tacit.core.rng import Stream, normals, uniforms
from tacit.data.synthetic_kernels import Floats, choose, race, rate

DIMENSIONS = 8
GENRES = (
    "adventure",
    "comedy",
    "crime",
    "documentary",
    "drama",
    "fantasy",
    "history",
    "music",
    "mystery",
    "romance",
)
TOWNS = ((45.07, 7.69), (40.71, -74.0), (48.86, 2.35), (41.9, 12.5), (-23.55, -46.63))
FEW = 5
"""Every user has at least this many interactions where there are enough."""
_BEGIN = 1_500_000_000
_SPAN = 3 * 365 * 86_400
# What the draws of Stream.SYNTHETIC are for; synthetic_kernels.py has its own numbers from 20.
_ACTIVITY, _RANK, _GENRE, _ITEM_TASTE, _USER_TASTE, _TOWN, _PLACE, _HOME, _LIKES, _JOIN, _QUALITY = range(11)

_ADJECTIVES = """
Amber Blue Broken Distant First Golden Hidden Last Little Long Lost Paper Quiet Red Restless Second Silver
Slow Stolen Sudden Tall Velvet Wild Winter
"""
_NOUNS = """
Bridge Circus Coast Dream Echo Engine Garden Harbour House Island Journey Lantern Letter Market Mirror
Mountain Orchard River Road Season Song Storm
"""


@dataclass(frozen=True, slots=True)
class Synthetic:
    """How much to invent."""

    users: int = 1_000
    items: int = 1_500
    interactions: int = 100_000

    def __post_init__(self) -> None:
        for name in ("users", "items"):
            if getattr(self, name) < 2:
                raise BadInput(f"synthetic {name}", got=getattr(self, name), allowed="a whole number from 2")
        least, most = max(self.users, self.items), self.users * self.items
        if not least <= self.interactions <= most:
            why = f"{least:,} (every user and item occurs) to {most:,} (users times items)"
            raise BadInput("synthetic interactions", got=f"{self.interactions:,}", allowed=why)


def generate(size: Synthetic, seed: int = 0) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The rows, by user and time, and what is known about the items. Ids are 1, 2, 3 ...

    >>> rows, items = generate(Synthetic(users=20, items=30, interactions=200))
    >>> len(rows), len(items)
    (200, 30)
    """
    counts = _activity(size, seed)
    genre = _below(seed, _GENRE, size.items, len(GENRES))
    likes = _below(seed, _LIKES, size.users, len(GENRES))
    item_town = _below(seed, _TOWN, size.items, len(TOWNS))
    home = _below(seed, _HOME, size.users, len(TOWNS))
    # The centre of a genre is a direction of its own; users who like the genre lie near it, and so do its items.
    centre = normals(seed, Stream.SYNTHETIC, _GENRE, len(GENRES), DIMENSIONS)
    item_taste = centre[genre] + normals(seed, Stream.SYNTHETIC, _ITEM_TASTE, size.items, DIMENSIONS)
    user_taste = centre[likes] + normals(seed, Stream.SYNTHETIC, _USER_TASTE, size.users, DIMENSIONS)
    user_taste /= DIMENSIONS
    start = np.concatenate(([0], np.cumsum(counts)))
    popularity = np.cumsum(_popularity(size.items, seed))
    near = np.arange(len(TOWNS))[:, None] == item_town
    item = np.empty(size.interactions, np.int32)
    have = np.empty(size.users, np.int64)
    workers = Workers()
    workers.run(choose, size.users, seed, start, popularity, user_taste, item_taste, near, home, item, have)
    for u in np.flatnonzero(have < counts).tolist():
        arrival = race(seed, u, popularity, user_taste[u], item_taste, near[home[u]])
        arrival[item[start[u] : start[u] + have[u]]] = np.inf
        item[start[u] + have[u] : start[u + 1]] = np.argsort(arrival)[: counts[u] - have[u]]
    rating = np.empty(size.interactions, np.float32)
    time = np.empty(size.interactions, np.int64)
    quality = 0.4 * normals(seed, Stream.SYNTHETIC, _QUALITY, size.items, 1)[:, 0]
    begin = (_BEGIN + uniforms(seed, Stream.SYNTHETIC, _JOIN, size.users, 1)[:, 0] * _SPAN).astype(np.int64)
    workers.run(rate, size.users, seed, start, begin, user_taste, item_taste, quality, item, rating, time)
    user = np.repeat(np.arange(1, size.users + 1, dtype=np.int32), counts)
    rows = pl.DataFrame({"user": user, "item": item + 1, "rating": rating, "timestamp": time})
    spread = normals(seed, Stream.SYNTHETIC, _PLACE, size.items, 2) * 0.03
    place = np.array(TOWNS)[item_town] + spread
    about = pl.DataFrame(
        {
            "item": np.arange(1, size.items + 1, dtype=np.int32),
            "title": titles(size.items),
            "category": [GENRES[g] for g in genre],
            "genres": [GENRES[g] for g in genre],
            "lat": place[:, 0],
            "lon": place[:, 1],
        }
    )
    return rows, about


def titles(many: int) -> list[str]:
    """That many different readable titles for invented items.

    >>> titles(2)
    ['Amber Bridge', 'Blue Bridge']
    """
    adjectives, nouns = _ADJECTIVES.split(), _NOUNS.split()
    made = []
    for number in range(many):
        rest, adjective = divmod(number, len(adjectives))
        again, noun = divmod(rest, len(nouns))
        made.append(f"{adjectives[adjective]} {nouns[noun]}" + (f" {again + 1}" if again else ""))
    return made


def _below(seed: int, event: int, many: int, bound: int) -> npt.NDArray[np.int64]:
    return (uniforms(seed, Stream.SYNTHETIC, event, many, 1)[:, 0] * bound).astype(np.int64)


def _popularity(items: int, seed: int) -> Floats:
    """Zipf's law with a flattened head; the rank of an item has nothing to do with its id."""
    rank = np.argsort(np.argsort(uniforms(seed, Stream.SYNTHETIC, _RANK, items, 1)[:, 0]))
    weight = (rank + 1.0 + items / 20.0) ** -2.0
    return np.asarray(weight / weight.sum())


def _activity(size: Synthetic, seed: int) -> npt.NDArray[np.int64]:
    """How many interactions each user has: a heavy tail with the exact sum."""
    mean = size.interactions / size.users
    few = min(FEW, int(mean), size.items)
    # Nobody knows more than half of the catalogue, unless that is too little for everybody together.
    most = min(size.items, max(size.items // 2, int(np.ceil(1.5 * mean))))
    room, rest = most - few, size.interactions - few * size.users
    weight = np.exp(1.05 * normals(seed, Stream.SYNTHETIC, _ACTIVITY, size.users, 1)[:, 0])
    low, high = 0.0, (size.interactions + 1.0) / weight.min()
    for _ in range(200):
        middle = (low + high) / 2
        if np.minimum(room, np.floor(middle * weight)).sum() <= rest:
            low = middle
        else:
            high = middle
    extra = np.minimum(room, np.floor(low * weight)).astype(np.int64)
    # What rounding left over goes to those who were nearest to one more.
    nearest = np.argsort(-(low * weight - extra), kind="stable")
    nearest = nearest[extra[nearest] < room][: rest - int(extra.sum())]
    extra[nearest] += 1
    return extra + few
