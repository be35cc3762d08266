from tacit.metrics.mrr import reciprocal_rank
from tests.metrics.hand import check


def test_by_hand() -> None:
    check(reciprocal_rank, 1.0)
