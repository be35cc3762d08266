import numpy as np
import pytest

from tacit.protocols.ensemble.voting import majority, weighted_majority

VOTES = np.array([[1, 0, 1, 1], [2, 0, 2, 2], [2, 1, 2, 1]], np.int8)
LABELS = np.array([1, 0, 1, 1], np.uint8)


def test_majority_and_ties() -> None:
    assert majority(VOTES, 3).tolist() == [2, 0, 2, 1]
    assert majority(VOTES[:2], 3).tolist() == [1, 0, 1, 1], "the lowest of equals"


def test_weighted_majority_by_hand() -> None:
    weights = np.ones(3)
    # Case 0: 2 wins 2 to 1, wrong: models 1 and 2 are at 1/2. Case 1: 0 wins, right: nothing changes though model 2 was
    # wrong. Case 2: 1 to 1/2 + 1/2, a tie that goes to the lower answer, right. Case 3: 1 + 1/2 to 1/2.
    assert weighted_majority(VOTES, LABELS, 0.5, 3, weights).tolist() == [2, 0, 1, 1]
    assert weights.tolist() == [1, 0.5, 0.5]


def test_only_ratios_count_so_weights_never_vanish() -> None:
    votes = np.zeros((2, 5000), np.int8)
    votes[1, ::2] = 1
    labels = np.ones(5000, np.uint8)
    weights = np.ones(2)
    weighted_majority(votes, labels, 0.2, 2, weights)
    assert weights.max() == 1
    assert np.isfinite(weights).all()


@pytest.mark.parametrize("beta", [0.05, 1.0])
def test_one_good_model_among_bad_ones_wins_in_the_end(beta: float) -> None:
    votes = np.ones((11, 2000), np.int8)
    votes[0] = 0
    said = weighted_majority(votes, np.zeros(2000, np.uint8), beta, 2, np.ones(11))
    assert said[-1] == 0
