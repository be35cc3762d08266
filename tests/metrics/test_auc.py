import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.metrics.auc import auc


@given(st.lists(st.tuples(st.integers(0, 4), st.booleans()), min_size=2, max_size=30))
def test_as_counting_pairs(rows: list[tuple[int, bool]]) -> None:
    good = [s for s, positive in rows if positive]
    bad = [s for s, positive in rows if not positive]
    value = auc(np.array([s for s, _ in rows], float), np.array([p for _, p in rows]))
    if not good or not bad:
        assert np.isnan(value)
        return
    wins = sum((a > b) + 0.5 * (a == b) for a in good for b in bad)
    assert value == pytest.approx(wins / len(good) / len(bad))
