import math

import pytest

from tacit.merges.base import Merge
from tacit.merges.exponential import Exponential
from tacit.testing import check_merge

OLDEST = 2**31 - 1
DEFAULT = Exponential()


def w(own: int, theirs: int, merge: Merge = DEFAULT) -> float:
    return float(merge.weight(own, theirs, merge.shape))


def test_kit() -> None:
    check_merge(Exponential())


def test_by_hand() -> None:
    assert w(5, 5) == 0.5
    assert w(5, 7) == pytest.approx(math.e**2 / (1 + math.e**2))
    assert w(1000007, 1000005) == pytest.approx(1 / (1 + math.e**2))
    # A row never updated here still counts e^0: the formula of the thesis, taken at its word.
    assert w(0, 1) == pytest.approx(math.e / (1 + math.e))


def test_nothing_overflows() -> None:
    assert [w(0, OLDEST), w(OLDEST, 1), w(OLDEST, 0), w(OLDEST, OLDEST)] == [1, 0, 0, 0.5]
