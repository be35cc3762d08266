import math

import numpy as np
import pytest

from tacit.metrics.ndcg import ndcg
from tests.metrics.hand import check


def test_by_hand() -> None:
    check(ndcg, (1 + 1 / 2) / (1 + 1 / math.log2(3) + 1 / 2))


def test_of_one_held_out_item_it_is_the_papers_formula() -> None:
    for rank in range(4):
        hits = np.zeros((1, 4), bool)
        hits[0, rank] = True
        assert ndcg(hits, np.array([1]))[0] == pytest.approx(math.log(2) / math.log(rank + 2))
