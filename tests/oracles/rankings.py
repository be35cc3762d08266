"""Random rankings full of ties, ordered by our rule, as other libraries take them."""

from __future__ import annotations

import numpy as np

from tacit.core.compiled.threads import Workers
from tacit.core.interactions import Interactions
from tacit.core.rng import Stream, uniforms
from tacit.core.scorer import Scores
from tacit.metrics.top_k import Lists, top_lists
from tests.metrics.test_top_k import Table

USERS, ITEMS, K = 60, 40, 10


def ranked() -> tuple[Lists, Interactions]:
    """Lists out of scores that take four values, and what was held out: nothing of some users, much of others."""
    scores: Scores = np.floor(4 * uniforms(1, Stream.SYNTHETIC, 0, USERS, ITEMS))
    share = np.arange(USERS)[:, None] % 6 / 10
    pairs = np.argwhere(uniforms(2, Stream.SYNTHETIC, 0, USERS, ITEMS) < share)
    held = Interactions.from_pairs(pairs[:, 0], pairs[:, 1], users=USERS, items=ITEMS)
    known = Interactions.from_pairs([], [], users=USERS, items=ITEMS)
    found = top_lists(Table(scores), known, held.counts > 0, K, seed=5, workers=Workers(1))
    assert found.tied.sum() > USERS, "a test about ties"
    return found.lists, held
