"""Disclosure: which of a person's ratings are trained on in what is shared, and what a rating means to a model.

Disclosure pi is the probability that the shared model uses a rating. The choice is made once per item, from the node's
own secret seed. A new choice for every message would in the end show everything to a peer that receives many messages.

The model that is sent does not learn from a rating that it never used. With other values of such ratings the same
bytes leave (`tests/node/test_runtime.py`). They still count for the person's own recommendations.

Raising pi keeps the ratings that were used and adds others. Lowering pi changes what is learned from then on. What a
rating taught before stays in the model, and is sent. What has left cannot be called back.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np

from tacit.core.interactions import Values
from tacit.core.rng import Stream, uniform
from tacit.models.base import Model
from tacit.node.catalogue.item_keys import row_id
from tacit.node.catalogue.row_index import Hashes
from tacit.node.store.records import HIGH, LOW, Rating

_STREAM = Stream.LIVE_CHOICE
_row = lru_cache(maxsize=100_000)(row_id)
LIKED = 0.7 * HIGH
"""From here on a rating means that the person liked it."""
_STARS = {"liked": HIGH, "seen": LIKED, "dropped": 0.4 * HIGH, "disliked": LOW}
"""What signals without a number stand for, where a model needs one."""


def takes_part(seed: int, row: int, pi: float) -> bool:
    """Whether the shared model uses the rating of this item."""
    return uniform(seed, _STREAM, 0, row >> 32, row & 0xFFFFFFFF) < pi


def ranks(model: Model) -> bool:
    """Whether a model learns from what was liked against what was not, rather than from numbers."""
    return bool(getattr(model, "draws_negatives", False)) or hasattr(model, "exchanged")


def liked(rating: Rating) -> bool:
    """Whether a person liked this, as far as is known: what was seen and not rated counts as liked."""
    if rating.value is not None:
        return rating.value >= LIKED
    return rating.signal in ("liked", "seen")


def stars(rating: Rating) -> float:
    """A rating as a number."""
    return _STARS[rating.signal] if rating.value is None else rating.value


def met(ratings: Iterable[Rating]) -> list[Rating]:
    """Without what a person only wants to meet."""
    return [rating for rating in ratings if rating.signal != "want"]


def usable(ratings: Iterable[Rating], model: Model) -> list[Rating]:
    """Those a model can learn from."""
    return [rating for rating in met(ratings) if not ranks(model) or liked(rating)]


def training_data(ratings: Sequence[Rating], model: Model) -> tuple[Hashes, Values]:
    """One person's ratings as a model takes them: the names of rows, and their values."""
    chosen = usable(ratings, model)
    values = [1.0 if ranks(model) else stars(rating) for rating in chosen]
    return row_names(chosen), np.array(values, np.float32)


def row_names(ratings: Iterable[Rating]) -> Hashes:
    """The names of the rows that ratings are about."""
    return np.array([_row(rating.key) for rating in ratings], np.uint64)
