from tacit.merges.base import Merge
from tacit.merges.keep_oldest import KeepOldest
from tacit.testing import check_merge

OLDEST = 2**31 - 1
DEFAULT = KeepOldest()


def w(own: int, theirs: int, merge: Merge = DEFAULT) -> float:
    return float(merge.weight(own, theirs, merge.shape))


def test_kit() -> None:
    check_merge(KeepOldest())


def test_takes_only_what_is_older() -> None:
    assert [w(2, theirs) for theirs in (0, 1, 2, 3)] == [0, 0, 0, 1]
    assert w(OLDEST, OLDEST) == 0
    assert w(OLDEST - 1, OLDEST) == 1
