"""Values of single users: one each, whatever an evaluation of somebody else gives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tacit.core.errors import BadInput
from tacit.experiment.evaluations.base import values_per_user


class Given:
    """An evaluation that gives what it was made with."""

    def __init__(self, each: Any, whole: tuple[str, ...] = ()) -> None:
        self.each, self.whole = each, whole

    def per_user(self, simulation: Any) -> Any:
        return self.each


def looked_at(*given: Any) -> Any:
    evaluation: Any = Given(*given)
    nowhere: Any = None
    return values_per_user(evaluation, nowhere, 4)


def test_one_value_for_each_user() -> None:
    assert looked_at({"auc": np.zeros(4)})["auc"].tolist() == [0, 0, 0, 0]
    assert looked_at({}, ("coverage",)) == {}


@pytest.mark.parametrize(
    ("each", "got"),
    [
        (None, "a NoneType"),
        (np.zeros(4), "a ndarray"),
        ({}, "a dict without any"),
        ({"auc": np.zeros(4), "hr": np.zeros(3)}, r"hr of shape \(3,\)"),
        ({"auc": 3}, r"auc of shape \(\)"),
    ],
)
def test_anything_else_is_refused(each: Any, got: str) -> None:
    says = rf"^per_user of evaluation Given: got {got}; allowed: names and arrays with one value for each of 4 users"
    with pytest.raises(BadInput, match=rf"{says}.*\(.*test_base.py, line \d+\)$"):
        looked_at(each)
