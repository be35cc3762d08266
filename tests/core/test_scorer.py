import numpy as np

from tacit.core.scorer import Scorer, Scores, blocks


class Table(Scorer):
    """Scores that are simply there."""

    def __init__(self, scores: Scores) -> None:
        super().__init__(*scores.shape)
        self.scores = scores

    def block(self, low: int, high: int, out: Scores) -> None:
        out[:] = self.scores[low:high]


def test_memory_is_bounded_and_every_user_is_covered() -> None:
    parts = blocks(100_000, 100_000)
    assert max(high - low for low, high in parts) * 100_000 * 8 < 64e6
    assert [low for low, _ in parts] == [0, *(high for _, high in parts[:-1])]
    assert parts[-1][1] == 100_000


def test_scores_of_some_items_are_those_of_the_block() -> None:
    scores = np.arange(12.0).reshape(3, 4)
    start, item = np.array([0, 2, 2, 3]), np.array([0, 3, 1], np.int32)
    assert Table(scores).some(start, item).tolist() == [0.0, 3.0, 9.0]
