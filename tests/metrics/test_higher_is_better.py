from __future__ import annotations

import pytest

from tacit.metrics.higher_is_better import lower_is_better


@pytest.mark.parametrize(
    ("metric", "lower"),
    [("rmse", True), ("mae", True), ("hr@20", False), ("evenness@10", False), ("accuracy", False)],
)
def test_errors_should_be_small_and_everything_else_large(metric: str, lower: bool) -> None:
    assert lower_is_better(metric) is lower
