from tacit.metrics.hr import hit_rate
from tests.metrics.hand import check


def test_by_hand() -> None:
    check(hit_rate, 1.0)
