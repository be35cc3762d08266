from tacit.metrics.precision import precision
from tests.metrics.hand import check


def test_by_hand() -> None:
    check(precision, 2 / 4, perfect=2 / 3)
