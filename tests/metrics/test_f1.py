from tacit.metrics.f1 import f1
from tests.metrics.hand import check


def test_by_hand() -> None:
    check(f1, 2 * (1 / 2) * (2 / 3) / (1 / 2 + 2 / 3), perfect=2 * (2 / 3) / (2 / 3 + 1))
