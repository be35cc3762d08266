"""The mean and two biases, worked out by hand."""

import numpy as np
import pytest

import tacit
from tacit.baselines.biases import Biases
from tacit.core.compiled.threads import Workers
from tacit.core.interactions import Interactions


def test_biases_by_hand() -> None:
    # The mean is 4, ratings are off by +1, -1 and 0. Item 0: (1 + 0) / (2 + 1); item 1: -1 / (1 + 1).
    # User 0: (1 - 1/3 - 1 + 1/2) / (2 + 1) = 1/18; user 1: (0 - 1/3) / (1 + 1). User 2 and item 2 are unknown.
    train = Interactions.from_pairs([0, 0, 1], [0, 1, 0], [5.0, 3.0, 4.0], users=3, items=3)
    out = np.empty((3, 3))
    Biases(epochs=1, reg_i=1, reg_u=1).fit(train, 0, Workers(1)).block(0, 3, out)
    assert out == pytest.approx(4 + np.array([[1 / 18], [-1 / 6], [0]]) + np.array([1 / 3, -1 / 2, 0]))
    # Again, item 0: (1 - 1/18 + 0 + 1/6) / 3 = 10/27; item 1: (-1 - 1/18) / 2 = -19/36.
    # User 0: (1 - 10/27 - 1 + 19/36) / 3 = 17/324; user 1: (0 - 10/27) / 2 = -5/27.
    Biases(epochs=2, reg_i=1, reg_u=1).fit(train, 0, Workers(1)).block(0, 3, out)
    assert out == pytest.approx(4 + np.array([[17 / 324], [-5 / 27], [0]]) + np.array([10 / 27, -19 / 36, 0]))


def test_biases_predict_ratings() -> None:
    settings = {"data.users": 60, "data.items": 80, "data.interactions": 1500}
    result = tacit.run("baseline/biases", "synthetic", settings=settings, progress=False)
    assert 0 < result.metrics["rmse"] < 2
