import numpy as np

from tacit.metrics.item_coverage import item_coverage, times_recommended


def test_coverage_counts_different_items() -> None:
    times = times_recommended(np.array([[0, 2], [2, -1]], np.int32), 4)
    assert times.tolist() == [1, 0, 2, 0]
    assert item_coverage(times) == 2
