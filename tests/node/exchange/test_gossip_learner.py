"""Rows by name: growing, forgetting, saving; biases only, so that every number can be worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from tacit.core.errors import BadMessage
from tacit.core.message.update import Update, received
from tacit.merges import age_average
from tacit.models.bpr import PairwiseRanking
from tacit.models.mf import MatrixFactorization
from tacit.node.catalogue.row_index import NOWHERE, Hashes, RowIndex
from tacit.node.exchange.gossip_learner import GossipLearner, SharedRatings
from tacit.node.receive_limits import MAX_AGE_STEP
from tacit.privacy.known import Known
from tacit.protocols.gossip.node import GossipRules

# eta 1/2, everything starts at 0: all numbers below are exact.
RULES = GossipRules(
    MatrixFactorization(k=0, eta=0.5, scale=(0.0, 4.0)), age_average.merge(), 1, 100, (Known(),)
)


def named(*names: int) -> Hashes:
    return np.array(names, np.uint64)


def shared(**values: float) -> SharedRatings:
    return SharedRatings(named(*(int(name[1:]) for name in values)), np.array([*values.values()], np.float32))


def learner(cap: int = 100, rules: GossipRules = RULES, **values: float) -> GossipLearner:
    one = GossipLearner(0, rules, cap)
    one.set_people([shared(**values)], named(*(int(name[1:]) for name in values)))
    return one


def model(**rows: tuple[float, int]) -> tuple[Hashes, Update]:
    """Rows n<name>=(bias, age), ascending."""
    names = named(*(int(name[1:]) for name in rows))
    biases = np.array([[bias] for bias, _ in rows.values()], np.float32)
    ages = np.array([age for _, age in rows.values()], np.int32)
    return names, received(len(names), None, biases, ages, np.zeros(0, np.float32), 3)


def biases(one: GossipLearner) -> dict[int, tuple[float, int]]:
    s = one.state
    return {int(n): (float(s.rows[p, 0]), int(s.ages[p])) for p, n in enumerate(one.row_index.names)}


def test_a_row_never_heard_of_is_taken_over_and_then_learned_from() -> None:
    # Own item 5, rating 4: err = 4 - 0 - 0, c = b = 2. Item 9 comes from elsewhere.
    one = learner(n5=4.0)
    one.take(*model(n9=(1.5, 7)))
    assert biases(one) == {5: (2.0, 1), 9: (1.5, 7)}
    assert one.state.private.tolist() == [2.0]


def test_what_travels_goes_by_name_in_the_order_of_names() -> None:
    one = learner(n8=4.0, n3=2.0)
    one.take(*model(n1=(1.0, 2)))
    names, update = one.named(one.release_now())
    assert names.tolist() == [1, 3, 8]
    assert update.index is None
    positions = one.row_index.find(names)
    assert update.rows.tolist() == one.state.rows[positions].tolist()
    assert update.ages.tolist() == [2, 1, 1]


def test_two_catalogues_become_one_whatever_the_order_items_came_in() -> None:
    a, b = learner(n1=4.0, n7=3.0), learner(n7=3.0, n2=1.0)
    for _ in range(5):
        b.take(*a.named(a.release_now()))
        a.take(*b.named(b.release_now()))
    assert set(biases(a)) == set(biases(b)) == {1, 2, 7}


def test_a_grown_model_starts_rows_as_one_that_had_room_from_the_beginning() -> None:
    rules = GossipRules(PairwiseRanking(k=4), age_average.merge(), 3, 100)
    grown, roomy = GossipLearner(2, rules), GossipLearner(2, rules)
    for name in range(300):
        grown.know(named(name))
    roomy.know(np.arange(300, dtype=np.uint64))
    assert grown.state.rows.tobytes() == roomy.state.rows.tobytes()
    assert grown.state.rows.flags.c_contiguous


def test_the_least_updated_row_goes_first_then_the_one_unheard_for_longest() -> None:
    one = learner(cap=4, n1=4.0)
    one.take(*model(n2=(0.0, 5), n3=(0.0, 2), n4=(0.0, 2)))
    one.take(*model(n3=(0.0, 2)))  # heard again
    one.take(*model(n6=(0.5, 3)))
    assert set(biases(one)) == {1, 2, 3, 6}
    assert biases(one)[6] == (0.5, 3)


def test_a_newcomer_that_is_less_useful_than_all_stays_out_and_own_items_never_go() -> None:
    one = learner(cap=3, n1=4.0)
    one.take(*model(n2=(0.0, 5), n3=(0.0, 6)))
    one.take(*model(n4=(0.0, 5), n9=(0.0, 0)))
    assert set(biases(one)) == {1, 2, 3}
    one.take(*model(n4=(0.0, 90), n5=(0.0, 91), n6=(0.0, 92), n7=(0.0, 93)))
    assert set(biases(one)) == {1, 6, 7}
    assert len(one.state.rows) == len(one.state.ages) == len(one.row_index) == 3


def test_one_s_own_items_get_a_place_even_beyond_the_cap() -> None:
    one = learner(cap=2, n1=1.0, n2=2.0, n3=3.0)
    assert set(biases(one)) == {1, 2, 3}
    one.know(named(8, 9))
    assert len(one.row_index) == 3


@pytest.mark.parametrize(
    ("width", "dtype", "value", "words"),
    [(2, "f4", 1.0, "this node's own"), (1, "f8", 1.0, "this node's own"), (1, "f4", 1e30, "beyond")],
)
def test_a_model_that_does_not_fit_is_refused_and_changes_nothing(
    width: int, dtype: str, value: float, words: str
) -> None:
    one = learner(n5=4.0)
    before = one.save()
    bad = received(1, None, np.full((1, width), value, dtype), np.ones(1, np.int32), np.zeros(0, dtype), 1)
    with pytest.raises(BadMessage, match=words):
        one.take(named(9), bad)
    assert one.save() == before


def test_everything_learned_comes_back_bit_for_bit_and_goes_on_alike() -> None:
    rules = GossipRules(PairwiseRanking(k=4), age_average.merge(), 3, 100, (Known(),))
    one, other = GossipLearner(1, rules), GossipLearner(2, rules)
    names = np.arange(40, dtype=np.uint64)
    mine = SharedRatings(names[:9], np.ones(9, np.float32))
    other.know(names)
    one.know(names[:20])
    one.set_people([mine], names[:0])
    one.take(*other.named(other.release_now()))
    again = GossipLearner(1, rules)
    again.restore(one.save())
    again.set_people([mine], names[:0])
    for node in (one, again):
        node.take(*other.named(other.release_now()))
    assert again.save() == one.save()


def test_what_adam_remembers_grows_with_the_catalogue_and_goes_with_a_row() -> None:
    bpr = PairwiseRanking(k=1, optimizer="adam")
    one = GossipLearner(0, GossipRules(bpr, age_average.merge(), 1, 100), cap=4)
    one.set_people([SharedRatings(named(1), np.ones(1, np.float32))], named(1))

    def rows(*names: int, age: int) -> tuple[Hashes, Update]:
        numbers = np.full((len(names), 2), 0.5, np.float32)
        ages = np.full(len(names), age, np.int32)
        return named(*names), received(len(names), None, numbers, ages, np.zeros(0, np.float32), 1)

    def remembered() -> dict[int, bool]:
        blocks = one.state.memory.reshape(-1, 5)[1:]
        return {int(name): bool(block.any()) for name, block in zip(one.row_index.names, blocks, strict=True)}

    one.take(*rows(2, age=1))
    assert remembered() == {1: True, 2: True}, "the one item it has, and the one other it could draw"
    one.take(*rows(3, 4, age=1))
    while not all(remembered().values()):
        one.learn()
    positions = one.row_index.find(named(2, 3, 4))
    oldest = int(one.state.ages[positions].max())
    one._admit(named(8), np.array([oldest + 1]))
    kept = remembered()
    assert not kept[8], "who came in a row's place starts afresh"
    assert sum(kept.values()) == 3


def test_a_saved_model_of_another_width_is_refused() -> None:
    wide = GossipLearner(0, GossipRules(MatrixFactorization(k=3), age_average.merge(), 1, 100))
    with pytest.raises(ValueError, match="another width"):
        wide.restore(learner(n1=1.0).save())


def test_a_cluster_learns_from_everybody_and_newcomers_leave_the_others_parts_alone() -> None:
    # Ana: err = 4, c1 = b = 2. Bo: err = 2, c2 = b = 1. They share no item, so the order does not matter.
    one = GossipLearner(0, RULES)
    one.set_people([shared(n1=4.0), shared(n2=2.0)], named(1, 2))
    one.learn()
    assert biases(one) == {1: (2.0, 1), 2: (1.0, 1)}
    assert [who.private.tolist() for who in one.people] == [[2.0], [1.0]]
    assert one.rated.tolist() == [0, 1]
    again = GossipLearner(0, RULES)
    again.restore(one.save())
    again.set_people([shared(n1=4.0), shared(n2=2.0), shared(n3=1.0)], named(1, 2, 3))
    assert [who.private.tolist() for who in again.people] == [[2.0], [1.0], [0.0]]


def test_positions_can_be_asked_for_rows_that_have_none() -> None:
    index = RowIndex(10)
    index.append(named(4, 2), 0)
    assert index.find(named(2, 3, 4)).tolist() == [1, NOWHERE, 0]
    index.replace(np.array([0], np.int32), named(3), 1)
    assert index.find(named(2, 3, 4)).tolist() == [1, 0, NOWHERE]
    with pytest.raises(ValueError, match="two positions"):
        index.restore(named(1, 1), np.zeros(2, np.int64))


def test_a_row_that_is_too_long_is_refused_and_an_age_is_not_believed_beyond_a_step() -> None:
    one = learner(n5=4.0)
    before = biases(one)
    with pytest.raises(BadMessage, match="longer than 50"):
        one.take(*model(n9=(51.0, 1)))
    assert biases(one) == before
    one.take(*model(n9=(1.5, 2**31 - 1)))
    assert biases(one)[9] == (1.5, MAX_AGE_STEP + before.get(5, (0.0, 0))[1])
