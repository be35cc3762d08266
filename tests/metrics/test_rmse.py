"""RMSE by hand."""

from __future__ import annotations

import numpy as np

from tacit.metrics.rmse import rmse, rmse_per_user
from tacit.testing import check_metric


def test_holds_what_every_metric_has_to_hold() -> None:
    check_metric(rmse, per_user=rmse_per_user)


def test_by_hand() -> None:
    assert rmse(np.array([3.0, -4.0])) == np.sqrt(12.5)  # (9 + 16) / 2
    assert rmse_per_user(np.array([3.0, -4.0, 2.0]), np.array([0, 2, 3])).tolist() == [np.sqrt(12.5), 2.0]


def test_an_infinite_error_gives_no_warning() -> None:
    assert rmse(np.array([np.inf, 1.0])) == np.inf
    assert not np.isfinite(rmse_per_user(np.array([np.inf, 1.0]), np.array([0, 1, 2]))).any()
