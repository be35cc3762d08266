"""The reference itself is checked by hand-worked numbers before anything is compared with it."""

from __future__ import annotations

import numpy as np
import pytest

from tacit.core.interactions import Interactions
from tests.golden.naive_hegedus import (
    Federated,
    Gossip,
    Message,
    Model,
    merge_average,
    one_pass,
    random_10,
    simulate,
)


def ratings(*triples: tuple[int, int, float], users: int = 2, items: int = 3) -> Interactions:
    user, item, value = zip(*triples, strict=True) if triples else ((), (), ())
    return Interactions.from_pairs(user, item, value, users=users, items=items)


TRAIN = ratings((0, 0, 5), (0, 1, 3), (1, 1, 4), (1, 2, 2))
TEST = ratings((0, 2, 4), (1, 0, 1))


def make(kind: type, s: int | None = None, online: object = None, **extra: object) -> Gossip | Federated:
    """One hour for a full model, two nodes unless said otherwise."""
    data = {"train": TRAIN, "test": TEST, "k": 2, "eta": 0.01, "lam": 0.1, "epochs": 1, "full_seconds": 3600}
    rest = {"s": s, "online": online, "scale": (1, 5), "seed": 0, "lazy": False}
    made: Gossip | Federated = kind(**{**data, **rest, **extra})
    return made


def gossip(**extra: object) -> Gossip:
    made = make(Gossip, **{"merge": True, "start": "synchronous", **extra})
    assert isinstance(made, Gossip)
    return made


def test_update_rule_uses_the_old_row_and_the_old_user() -> None:
    t, Y, c, x = np.zeros(1, np.int64), np.array([[2.0]]), np.array([0.5]), np.array([1.0])
    b = one_pass(np.array([0]), np.array([4.0]), t, Y, c, x, 0.5, 0.1, 0.5)
    # err = 4 - 1*2 - 0.5 - 0.5 = 1
    assert t[0] == 1
    assert Y[0, 0] == pytest.approx(0.95 * 2 + 0.1 * 1)
    assert x[0] == pytest.approx(0.95 * 1 + 0.1 * 2)
    assert (c[0], b) == (pytest.approx(0.6), pytest.approx(0.6))


def test_merge_weighs_by_age_and_ignores_age_zero() -> None:
    mine = Model(np.array([1, 2, 0]), np.array([[1.0], [1.0], [1.0]]), np.array([0.0, 0.0, 0.0]))
    theirs = Message(
        0, np.arange(3), np.array([3, 0, 5]), np.array([[5.0], [9.0], [7.0]]), np.array([4.0, 9.0, 2.0])
    )
    merge_average(mine, theirs)
    assert mine.t.tolist() == [3, 2, 5]
    assert mine.Y[:, 0].tolist() == [4, 1, 7]  # 1/4 + 3/4 * 5; untouched; taken over
    assert mine.c.tolist() == [3, 0, 2]


def test_first_predictions_fall_into_the_scale() -> None:
    run = gossip()
    for u in range(2):
        said = run.predict(u, np.arange(3))
        assert np.all((said >= 1) & (said <= 5))


def test_compression_takes_rated_rows_first() -> None:
    assert set(gossip(s=2).choose_rows(0)) == {0, 1}
    assert set(gossip(s=3).choose_rows(0)) == {0, 1, 2}
    assert gossip(s=1).choose_rows(1)[0] in (1, 2)


def test_messages_leave_at_zero_and_every_transfer_time_when_synchronous() -> None:
    found = simulate("gossip", TRAIN, TEST, full_seconds=3600, start="synchronous", eval_hours=[0, 0.9, 1, 2])
    assert [r["messages"] for r in found] == [2, 2, 4, 6]
    assert found[0]["rmse"] == found[1]["rmse"] != found[2]["rmse"]


def test_staggered_nodes_send_once_a_cycle() -> None:
    found = simulate("gossip", TRAIN, TEST, full_seconds=3600, eval_hours=[1, 2, 10])
    assert [r["messages"] for r in found] == [2, 4, 20]


def test_compressed_cycle_is_as_short_as_the_message() -> None:
    train = ratings((0, 0, 5), (1, 1, 4), items=30)
    found = simulate("gossip-10", train, TEST, full_seconds=3600, start="synchronous", eval_hours=[0.95])
    assert found[0]["messages"] == 2 * 10


def test_a_message_carries_the_state_of_its_sending() -> None:
    run = gossip(merge=False)
    first = [m.copy() for m in run.models]
    run.run([1.5])
    # Node 1 got node 0's initial model and trained on its own items 1 and 2; item 0 is as node 0 drew it.
    assert np.array_equal(run.models[1].Y[0], first[0].Y[0])
    assert np.array_equal(run.models[0].Y[2], first[1].Y[2])
    assert run.models[1].t.tolist() == [0, 1, 1]


def test_two_cycles_of_gossip_walk_back_with_both_users_updates() -> None:
    run = gossip(merge=False)
    run.run([2])
    assert run.models[0].t.tolist() == [1, 2, 1]


@pytest.mark.parametrize(("leaves", "arrives"), [(3600.0, False), (3600.000001, True)])
def test_a_transfer_needs_both_ends_until_it_has_arrived(leaves: float, arrives: bool) -> None:
    run = gossip(online=[None, [(0, leaves)]])
    run.run([1])
    assert bool(run.models[0].t.any()) is arrives  # its sender left or stayed
    assert bool(run.models[1].t.any()) is arrives  # its receiver left or stayed


def test_nobody_sends_to_or_is_measured_at_an_offline_node() -> None:
    run = gossip(online=[None, []])
    result = run.run([3])
    assert result[0]["messages"] == 0
    own = 4 - run.predict(0, np.array([2]))[0]
    assert result[0]["rmse"] == pytest.approx(abs(own))


def test_federated_server_adds_the_mean_change_of_those_who_touched_a_row() -> None:
    run = make(Federated)
    before, users, biases = run.model.copy(), [x.copy() for x in run.x], list(run.b)
    run.run([2])
    changes = []
    for u in range(2):
        local, x = before.copy(), users[u].copy()
        one_pass(*run.data[u], local.t, local.Y, local.c, x, biases[u], 0.01, 0.1)
        changes.append(local.Y - before.Y)
        assert np.array_equal(run.x[u], x)
    total = changes[0] + changes[1]
    assert np.allclose(run.model.Y - before.Y, total / np.array([[1], [2], [1]]), atol=1e-15)
    assert run.model.t.tolist() == [1, 1, 1]


def test_federated_round_is_download_plus_upload() -> None:
    found = simulate("federated", TRAIN, TEST, full_seconds=3600, eval_hours=[0.5, 1, 1.5, 2])
    assert [r["messages"] for r in found] == [2, 4, 4, 6]


def test_a_lost_upload_still_changes_the_private_part() -> None:
    run = make(Federated, online=[[(0, 5400)], []])
    before, private = run.model.copy(), run.x[0].copy()
    run.run([2])
    assert np.array_equal(run.model.Y, before.Y)
    assert not np.array_equal(run.x[0], private)


def test_federated_10_sends_only_rated_rows_when_there_is_no_room_for_more() -> None:
    run = make(Federated, s=1)
    before = run.model.copy()
    run.run([2])
    changed = np.flatnonzero((run.model.Y != before.Y).any(axis=1))
    assert len(changed) in (1, 2)
    assert run.model.t.sum() == len(changed)


def test_lazy_says_the_middle_without_a_model_and_the_user_bias_without_the_row() -> None:
    run = gossip(lazy=True, merge=False)
    assert run.rmse(0) == pytest.approx(np.sqrt((1**2 + 2**2) / 2))  # 3 for the ratings 4 and 1
    run.run([1])
    assert run.predict(0, np.array([2]))[0] == run.b[0]  # trained on items 0 and 1 only
    run.run([2])
    assert run.predict(0, np.array([2]))[0] != run.b[0]


def test_random_10_holds_out_ten_of_those_who_have_more() -> None:
    table = ratings(*((0, i, 3) for i in range(11)), *((1, i, 3) for i in range(10)), items=11)
    train, test = random_10(table, seed=0)
    assert test.counts.tolist() == [10, 0]
    assert train.counts.tolist() == [1, 10]


def test_unknown_names_are_refused() -> None:
    with pytest.raises(ValueError, match="gossip-5"):
        simulate("gossip-5", TRAIN, TEST)
