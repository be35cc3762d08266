"""One example worked out by hand: K = 4, hits in places 1 and 3, three items held out; and what every metric keeps."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

HITS = np.array([[True, False, True, False]])
HELD = np.array([3])


def check(metric: Callable[..., Any], by_hand: float, perfect: float = 1.0) -> None:
    assert metric(HITS, HELD)[0] == pytest.approx(by_hand)
    assert metric(np.zeros((1, 4), bool), HELD)[0] == 0
    assert np.isnan(metric(np.zeros((1, 4), bool), np.array([0]))[0])
    assert metric(np.array([[True, True, False]]), np.array([2]))[0] == pytest.approx(perfect)
