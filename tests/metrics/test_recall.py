from tacit.metrics.recall import recall
from tests.metrics.hand import check


def test_by_hand() -> None:
    check(recall, 2 / 3)
