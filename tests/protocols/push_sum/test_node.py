"""One node by hand: what leaves it, what it refuses, what it adds only once."""

import numpy as np
import pytest

from tacit.core.errors import BadMessage
from tacit.core.message import codec
from tacit.core.message.update import Update
from tacit.models.ials import ImplicitLeastSquares
from tacit.protocols.push_sum.mask_pairs import QUESTION_BYTES
from tacit.protocols.push_sum.node import PushSumNode, PushSumRules
from tacit.protocols.push_sum.state import EPOCH, PEER, Rules

MODEL = ImplicitLeastSquares(k=2, w0=0.1, reg=0.3)


def node(number: int, items: list[int], known: list[int], model: ImplicitLeastSquares = MODEL) -> PushSumNode:
    agreed = PushSumRules(model, Rules(0, 14, 0.0, 0.1, 3), 100, staggered=False)
    nobody = np.zeros(0, np.int32), np.zeros(0, np.uint64)
    return PushSumNode(
        number, agreed, 10, np.array(items, np.int32), np.ones(len(items), np.float32), known, *nobody
    )


def share_of(sender: PushSumNode) -> Update:
    (send,) = sender.wake(sender.next_wake, lambda peer: True)
    return codec.decode(codec.encode(send.update))


def test_the_first_share_is_half_of_ones_own_statistics_and_only_rows_one_has() -> None:
    a = node(0, [2, 7], [1])
    update = share_of(a)
    assert update.index is not None
    assert update.index.tolist() == [2, 7]
    assert update.rows[:, 2].tolist() == [0.5, 0.5]
    # One byte a number early in an epoch; what rounding takes from the message stays here.
    assert update.rows[0, :2] == pytest.approx(a.book.private[0] / 2, rel=0.125)
    assert a.book.sums[0, 6:8] + update.rows[0, :2] == pytest.approx(a.book.private[0], rel=1e-6)
    assert a.book.sums[0, -1] == 0.5
    assert len(update.ages) == 0


def test_a_share_that_comes_twice_is_added_once_and_acknowledged_twice() -> None:
    a, b = node(0, [2, 7], [1]), node(1, [3], [0])
    update = share_of(a)
    number = b.receive(0, update)
    after = b.book.sums.copy()
    assert b.receive(0, update) == number
    assert np.array_equal(b.book.sums, after)
    assert b.book.sums[0, -1] == 1.5
    assert b.received == 1


def test_without_an_answer_the_same_share_goes_again_until_patience_ends() -> None:
    a = node(0, [2, 7], [1, 2, 3])
    (first,) = a.wake(0, lambda peer: True)
    for _ in range(3):
        (again,) = a.wake(a.next_wake, lambda peer: True)
        assert again.peer == first.peer
        assert codec.encode(again.update) == codec.encode(first.update)
    (new,) = a.wake(a.next_wake, lambda peer: True)
    assert codec.encode(new.update) != codec.encode(first.update)


def test_an_answer_frees_the_node_for_the_next_share() -> None:
    a, b = node(0, [2, 7], [1]), node(1, [3], [0])
    a.acknowledged(b.receive(0, share_of(a)))
    assert a.book.clock[0, PEER] == -1
    share_of(a)
    assert a.book.sums[0, -1] == 0.25


def test_a_later_epoch_is_joined_and_an_earlier_one_ignored() -> None:
    a, b = node(0, [2, 7], [1]), node(1, [3], [0])
    old = share_of(b)
    while a.book.clock[0, EPOCH] == 0:
        a.acknowledged(b.receive(0, share_of(a)))
    assert b.book.clock[0, EPOCH] == 1
    held = a.book.sums.copy()
    a.receive(1, old)
    assert np.array_equal(a.book.sums, held)


def test_a_share_of_another_shape_is_refused() -> None:
    a = node(0, [2, 7], [1], ImplicitLeastSquares(k=3, w0=0.1, reg=0.3))
    with pytest.raises(BadMessage, match="allowed: this node's own"):
        node(1, [3], [0]).receive(0, share_of(a))


def masked() -> tuple[PushSumNode, PushSumNode]:
    """Two partners, in every one of two pairs."""
    agreed = PushSumRules(MODEL, Rules(0, 14, 20.0, 0.1, 3), 100, staggered=False)
    ones, secret = np.ones(2, np.float32), np.array([5, 6], np.uint64)
    a, b = (
        PushSumNode(
            u, agreed, 10, np.array(had, np.int32), ones, [1 - u], np.full(2, 1 - u, np.int32), secret
        )
        for u, had in ((0, [2, 7]), (1, [3, 7]))
    )
    return a, b


def test_partners_ask_each_other_once_and_the_ledger_says_so() -> None:
    a, b = masked()
    for _ in range(2):
        question = a.ask(500_000, lambda peer: True)
        assert question is not None
        assert question.peer == 1
        a.answered(b.asked(0, question.said))
        a.wake(a.next_wake, lambda peer: True)
    assert a.ask(0, lambda peer: True) is None
    assert b.ask(0, lambda peer: True) is None  # who was asked has heard of the other, too
    (first, second) = (entry for entry in a.ledger if entry.bytes == QUESTION_BYTES)
    assert (first.peer, first.time, first.rows, first.rows_rated) == ("1", 0.5, 0, 0)
    assert second.rows == 0


def test_nobody_is_asked_who_is_not_there() -> None:
    a, _ = masked()
    assert a.ask(0, lambda peer: False) is None
    assert a.ledger == []


@pytest.mark.parametrize(("sender", "said"), [(3, 0), (0, 2 * 5), (0, -1), (0, 2**63)])
def test_a_question_about_a_pair_that_is_none_is_refused(sender: int, said: int) -> None:
    _, b = masked()
    with pytest.raises(BadMessage, match="allowed: a pair of the two"):
        b.asked(sender, said)


def test_nobody_there_nothing_sent() -> None:
    a = node(0, [2], [1])
    assert a.wake(0, lambda peer: False) == []
    assert a.next_wake == 100
    assert a.book.sums[0, -1] == 1
