from tacit.metrics.map import average_precision
from tests.metrics.hand import check


def test_by_hand() -> None:
    check(average_precision, (1 + 2 / 3) / 3)
