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


def test_a_senders_many_samples_win() -> None:
    mine, theirs = node(0, Habits(samples.merge(), alpha=1.0, step=0.0)), node(1, Habits(samples.merge()))
    theirs.state.rows += 1
    before = mine.state.rows.copy()
    update = release(theirs.model.fields, theirs.state, OWN, (), Draws(1, 1, 0))
    mine.receive(1, update, samples=18)  # against this node's own 6; it does not move for what it learns
    assert mine.state.rows == pytest.approx(before + 0.75, abs=1e-6)
