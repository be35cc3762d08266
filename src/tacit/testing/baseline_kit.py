"""Check a baseline: it learns from the data it is given and leaves it alone, and ranks the same way each time."""

from __future__ import annotations

import numpy as np

from tacit.baselines.base import Baseline
from tacit.core.compiled.threads import Workers
from tacit.core.scorer import Scorer, Scores
from tacit.testing.expect import expect, expect_part, kit, same_bits
from tacit.testing.protocol_kit import small_scenario


@kit
def check_baseline(baseline: Baseline) -> None:
    """Check a baseline on a small table, fitted twice and with two threads."""
    expect_part("baseline", baseline)
    name = f"baseline {type(baseline).__name__}"
    train = small_scenario().train
    before = train.item.copy(), train.value.copy()
    scorer = baseline.fit(train, 3, Workers(1))
    expect(isinstance(scorer, Scorer), f"{name}: fit gives a {type(scorer).__name__}; allowed: a Scorer")
    kept = same_bits(train.item, before[0]) and same_bits(train.value, before[1])
    expect(kept, f"{name}: fit changes the data")
    sizes = (scorer.users, scorer.items)
    expect(sizes == (train.users, train.items), f"{name}: a scorer of {sizes}; allowed: all users and items")
    whole = _scores(scorer, 0, train.users)
    expect(
        not np.isnan(whole).any(), f"{name}: a score that is no number; allowed: -inf for what is not shown"
    )
    expect(not np.isposinf(whole).any(), f"{name}: a score of infinity")
    for user in range(train.users):
        row = _scores(scorer, user, user + 1)[0]
        close = np.allclose(row, whole[user], rtol=1e-6, atol=1e-9)
        expect(close, f"{name}: user {user} alone gets other scores than with all")
    for what, workers in (("fitted again", Workers(1)), ("with two threads", Workers(2))):
        again = _scores(baseline.fit(train, 3, workers), 0, train.users)
        expect(same_bits(again, whole), f"{name}: {what} it gives other scores for the same seed")


def _scores(scorer: Scorer, low: int, high: int) -> Scores:
    out = np.full((high - low, scorer.items), np.nan)
    scorer.block(low, high, out)
    return out
