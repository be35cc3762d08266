"""How good a received model is for a person, worked out by hand."""

from __future__ import annotations

import numpy as np

from tacit.core.message.update import received
from tacit.merges import age_average
from tacit.models.bpr import PairwiseRanking
from tacit.models.mf import MatrixFactorization
from tacit.node.catalogue.row_index import NOWHERE
from tacit.node.exchange.gossip_learner import GossipLearner, SharedRatings
from tacit.node.exchange.score_received import score_received
from tacit.privacy.row_limit import AtMost
from tacit.protocols.gossip.node import GossipRules


def learner(model: MatrixFactorization | PairwiseRanking, *values: float) -> GossipLearner:
    one = GossipLearner(0, GossipRules(model, age_average.merge(), 1, 100))
    one.set_people(
        [SharedRatings(np.arange(len(values), dtype=np.uint64), np.array(values, np.float32))],
        np.zeros(0, np.uint64),
    )
    return one


def judged(one: GossipLearner, places: list[int], biases: list[float]) -> float:
    width = one.rules.model.row_width
    rows = np.zeros((len(biases), width), np.float32)
    rows[:, -1] = biases
    update = received(len(biases), None, rows, np.ones(len(biases), np.int32), np.zeros(0, np.float32), 1)
    return score_received(one, np.array(places, np.int32), update)


def test_ratings_are_judged_by_their_error() -> None:
    # Biases only, the person's is 0: predictions 4 and 1 for ratings 4 and 4: RMSE = sqrt(9/2).
    one = learner(MatrixFactorization(k=0, scale=(0.0, 4.0)), 4.0, 4.0)
    assert np.isclose(judged(one, [0, 1, NOWHERE], [4, 1, 9]), 1 / (1 + np.sqrt(4.5)))
    assert judged(one, [0, 1, NOWHERE], [4, 4, 9]) == 1


def test_rankings_are_judged_by_how_often_a_liked_row_is_above_another() -> None:
    # Liked rows score 3 and 1, others 2 and 0: 3 beats both, 1 beats one: 3 of 4 pairs.
    one = learner(PairwiseRanking(k=2), 1.0, 1.0)
    one.state.private[:] = 0
    assert judged(one, [0, 1, NOWHERE, NOWHERE], [3, 1, 2, 0]) == 0.75


def test_a_model_without_anything_to_judge_by_is_neither_good_nor_bad() -> None:
    one = learner(PairwiseRanking(k=2), 1.0)
    assert judged(one, [NOWHERE, NOWHERE], [1, 2]) == 0.5
    assert judged(one, [0], [1]) == 0.5


def test_a_message_has_room_for_so_many_rows_one_s_own_first() -> None:
    one = learner(MatrixFactorization(k=0), 1.0, 2.0, 3.0)
    one.know(np.arange(100, 150, dtype=np.uint64))
    update = one.release_now()
    thinned = AtMost(10).apply(update, one.rated, one_draws())
    assert len(thinned.rows) == 10
    assert thinned.index is not None
    assert set(thinned.index[:3].tolist()) == {0, 1, 2}
    assert AtMost(53).apply(update, one.rated, one_draws()) is update


def one_draws():  # type: ignore[no-untyped-def]
    from tacit.core.message.update import Draws

    return Draws(1, 0, 0)
