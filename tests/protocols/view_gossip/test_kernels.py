"""Each step of taking in a model, by hand; the whole of it, against plain Python, in tests/equivalence."""

import numpy as np
import pytest

from tacit.models.gmf import GeneralizedMatrixFactorization as Gmf
from tacit.models.gmf import score
from tacit.protocols.view_gossip.kernels import LOCAL, Data, Model, Rules, blend, divide, make_performance

OWN = np.array([1, 3, 4, 6, 8], np.int32)


def room(items: int, weighting: int, others: int = 3) -> Data:
    return Data(
        np.zeros(items, np.int32),
        np.zeros(items, np.float32),
        np.zeros(weighting, np.int32),
        np.zeros((1, others), np.int32),
    )


def test_honest_data_are_the_training_part_without_the_weighting_set() -> None:
    data = room(3, 2, 10)
    divide(0, 0, 0, OWN, OWN[:0], 12, data)
    assert sorted([*data.items, *data.weighting]) == OWN.tolist()
    assert data.values.tolist() == [1, 1, 1]
    # Ranked among all that is not known to be liked; three places are left empty.
    assert data.others.tolist()[0] == [0, 2, 5, 7, 9, 10, 11, -1, -1, -1]


def test_the_papers_data_hold_everything_consumed_and_learn_only_from_the_training_part() -> None:
    consumed = np.array([0, 1, 3, 4, 6, 8, 11], np.int32)
    data = room(7, 2, 10)
    divide(0, 0, 0, OWN, consumed, 12, data)
    assert data.items.tolist() == consumed.tolist()
    learned = data.items[~np.isnan(data.values)]
    assert sorted([*learned, *data.weighting]) == OWN.tolist()
    assert data.others.tolist()[0] == [2, 5, 7, 9, 10, -1, -1, -1, -1, -1]


def test_another_weighting_set_another_time_and_nothing_is_lost() -> None:
    seen = set()
    for event in range(20):
        data = room(3, 2)
        divide(0, 0, event, OWN, OWN[:0], 12, data)
        seen |= set(data.weighting.tolist())
    assert seen == set(OWN.tolist())


def rules(k: int, together: bool) -> Rules:
    return Rules(0, 1, 0, True, together, k, np.float32(1), LOCAL, np.float32(0.1), False, 0)


@pytest.mark.parametrize(
    ("k", "together", "expected"), [(1, False, 0.5), (2, False, 1), (2, True, 0.5), (4, True, 4 / 6)]
)
def test_performance_by_hand(k: int, together: bool, expected: float) -> None:
    # Scores are the single factor; the weighting items 0 and 1 score 5 and 3, the others 4, 2 and 1.
    rows = np.array([[5], [3], [4], [2], [1]], np.float32)
    one = np.ones(1, np.float32)
    data = Data(
        np.zeros(0, np.int32),
        np.zeros(0, np.float32),
        np.array([0, 1], np.int32),
        np.array([[2, 3, 4, -1]], np.int32),
    )
    model = Model(rows, np.zeros(5, np.int32), one)
    # HR@1: item 0 hits, item 1 has the 4 above it. F1@2 together: order 5 4 3 2 1, one hit: 2 * 1 / (2 + 2).
    assert make_performance(score)(model, one, data, rules(k, together), Gmf(k=1).hyper()) == pytest.approx(
        expected
    )


def test_each_weighting_item_among_its_own_by_hand() -> None:
    # Items 0 and 1 score 5 and 3; the first is ranked among 4 and 6, the second among 2 and 1.
    rows = np.array([[5], [3], [4], [6], [2], [1]], np.float32)
    one = np.ones(1, np.float32)
    others = np.array([[2, 3], [4, 5]], np.int32)
    data = Data(np.zeros(0, np.int32), np.zeros(0, np.float32), np.array([0, 1], np.int32), others)
    model = Model(rows, np.zeros(6, np.int32), one)
    perform = make_performance(score)
    assert (
        perform(model, one, data, rules(1, False), Gmf(k=1).hyper()) == 0.5
    )  # only the second is first of its list
    assert perform(model, one, data, rules(2, False), Gmf(k=1).hyper()) == 1
    # F1@2 ranks both among the first list: 6 5 4 3, one hit.
    assert perform(model, one, data, rules(2, True), Gmf(k=1).hyper()) == 0.5


def test_lists_of_weighting_items_differ_and_the_first_is_the_shared_one() -> None:
    shared, each = room(3, 2, 3), room(3, 2, 3)._replace(others=np.zeros((2, 3), np.int32))
    divide(0, 0, 0, OWN, OWN[:0], 40, shared)
    divide(0, 0, 0, OWN, OWN[:0], 40, each)
    assert each.others[0].tolist() == shared.others[0].tolist() != each.others[1].tolist()
    assert not np.isin(each.others, OWN).any()


def test_without_a_weighting_set_performance_is_zero() -> None:
    one = np.ones(1, np.float32)
    model = Model(np.ones((5, 1), np.float32), np.zeros(5, np.int32), one)
    assert make_performance(score)(model, one, room(0, 0), rules(20, False), Gmf(k=1).hyper()) == 0


def test_blending_by_hand() -> None:
    out = np.zeros(2, np.float32)
    blend(np.array([1, 2], np.float32), np.array([5, 10], np.float32), np.float32(0.25), out)
    assert out.tolist() == [2, 4]
