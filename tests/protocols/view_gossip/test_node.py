import numpy as np
import pytest

from tacit.core.errors import BadMessage
from tacit.core.message.update import Draws, release
from tacit.merges import performance, samples
from tacit.models.gmf import GeneralizedMatrixFactorization as Gmf
from tacit.protocols.view_gossip.node import Agreed, Habits, ViewNode

OWN = np.arange(6, dtype=np.int32)


def node(number: int, habits: Habits, **more: object) -> ViewNode:
    avoid = more.pop("avoid", None)
    agreed = Agreed(more.pop("model", Gmf(k=2)), habits, seed=1, **more)  # type: ignore[arg-type]
    return ViewNode(number, 5, agreed, 12, OWN, 2, avoid)  # type: ignore[arg-type]


def test_a_round_goes_to_the_whole_view_and_only_the_shared_part_travels() -> None:
    sends = node(0, Habits(performance.merge())).wake()
    assert len({send.peer for send in sends}) == 3
    assert all(len(send.update.dense) == 2 for send in sends)
    travelling = node(0, Habits(performance.merge()), model=Gmf(k=2, user_vectors="travel")).wake()
    assert len(travelling[0].update.dense) == 4


def test_a_view_larger_than_the_network_is_everybody() -> None:
    assert sorted(send.peer for send in node(2, Habits(samples.merge(), view=9)).wake()) == [0, 1, 3, 4]


def test_all_start_alike_where_agreed_and_differently_otherwise() -> None:
    alike = [node(n, Habits(samples.merge())).state.rows for n in (0, 1)]
    assert (alike[0] == alike[1]).all()
    apart = [node(n, Habits(samples.merge(), common=False)).state.rows for n in (0, 1)]
    assert (apart[0] != apart[1]).any()


def test_nothing_is_set_aside_where_nothing_is_weighed() -> None:
    plain = node(0, Habits(samples.merge(), alpha=1.0))
    assert (len(plain.data.items), len(plain.data.weighting)) == (6, 0)
    weighing = node(0, Habits(performance.merge()))
    assert (len(weighing.data.items), len(weighing.data.weighting)) == (4, 2)


def test_a_model_of_another_size_is_refused() -> None:
    update = node(1, Habits(samples.merge()), model=Gmf(k=3)).wake()[0].update
    with pytest.raises(BadMessage, match=r"^model .*got \(12, 3, 3, 'float32'\); allowed: this node's own"):
        node(0, Habits(samples.merge())).receive(1, update)


@pytest.mark.parametrize("view", [None, [1, 2], [1, 2, 2], [1, 2, 5], [-1, 0, 1]])
def test_a_view_that_cannot_be_one_is_refused_and_nothing_changes(view: list[int] | None) -> None:
    mine, theirs = node(0, Habits(samples.merge())), node(1, Habits(samples.merge()))
    before = mine.state.rows.copy()
    came = None if view is None else np.array(view, np.int32)
    with pytest.raises(BadMessage, match=r"^view: got .*; allowed: 3 different peers, numbers from 0 to 4$"):
        mine.receive(1, theirs.wake()[0].update, 6, came)
    assert (mine.state.rows == before).all()


def test_a_message_tells_who_is_in_the_view_by_number_and_only_where_strangers_are_found_there() -> None:
    told = node(0, Habits(performance.merge()))
    sends = told.wake()
    assert told.told().tolist() == sorted(send.peer for send in sends)
    assert len(node(0, Habits(performance.merge(), from_views=False)).told()) == 0


@pytest.mark.parametrize("moves", [True, False])
def test_reptiles_step_is_made_by_the_persons_vector_where_agreed(moves: bool) -> None:
    habits = Habits(samples.merge(), alpha=1.0, from_views=False, step=0.0, step_vector=moves)
    mine, before = node(0, habits), node(0, habits).state.private
    mine.receive(1, node(1, habits).wake()[0].update, 6)
    assert (mine.state.private == before).all() == moves


def test_a_senders_many_samples_win() -> None:
    mine, theirs = node(0, Habits(samples.merge(), alpha=1.0, step=0.0)), node(1, Habits(samples.merge()))
    theirs.state.rows += 1
    theirs.wake()
    before = mine.state.rows.copy()
    update = release(theirs.model.fields, theirs.state, OWN, (), Draws(1, 1, 0))
    mine.receive(
        1, update, 18, theirs.told()
    )  # against this node's own 6; it does not move for what it learns
    assert mine.state.rows == pytest.approx(before + 0.75, abs=1e-6)
