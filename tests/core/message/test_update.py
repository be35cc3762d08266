"""The one door: nothing private gets out, and what gets out is a copy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from tacit.core.errors import BadInput
from tacit.core.message import codec
from tacit.core.message.update import Draws, Update, arrays, received, release, reshape
from tacit.core.node_state import Field, NodeState, Visibility

PRIVATE, SHARED = Visibility.PRIVATE, Visibility.SHARED
DRAWS = Draws(0, 0, 0)
RATED = np.array([1], np.int32)


def state() -> NodeState:
    return NodeState(
        rows=np.arange(6, dtype=np.float32).reshape(3, 2),
        ages=np.array([1, 2, 3], np.int32),
        dense=np.array([7, 8], np.float32),
        clock=4,
        private=np.array([101, 102, 103], np.float32),
    )


def fields(**chosen: Visibility) -> tuple[Field, ...]:
    every = {"rows": SHARED, "ages": SHARED, "dense": SHARED, "clock": SHARED, "private": PRIVATE} | chosen
    return tuple(Field(name, visibility, "") for name, visibility in every.items())


def test_shared_fields_leave() -> None:
    update = release(fields(), state(), RATED, (), DRAWS)
    assert (update.items, update.index, update.clock) == (3, None, 4)
    assert update.rows.tolist() == [[0, 1], [2, 3], [4, 5]]
    assert update.ages.tolist() == [1, 2, 3]
    assert update.dense.tolist() == [7, 8]


def test_no_array_of_an_update_shares_memory_with_the_node() -> None:
    node = state()
    update = release(fields(), node, RATED, (), DRAWS)
    for array in arrays(update):
        for own in (node.rows, node.ages, node.dense, node.private):
            assert not np.shares_memory(array, own)


@pytest.mark.parametrize("private", ["rows", "ages", "dense"])
def test_a_field_declared_private_stays(private: str) -> None:
    update = release(fields(**{private: PRIVATE}), state(), RATED, (), DRAWS)
    numbers = np.concatenate([array.ravel() for array in arrays(update)])
    secret = {"rows": [5.0], "ages": [1, 2, 3], "dense": [7, 8]}[private]
    kept = {"rows": "ages dense", "ages": "rows dense", "dense": "rows ages"}[private]
    if private == "ages":
        assert update.ages.tolist() == [0, 0, 0]
    else:
        assert len(getattr(update, private)) == 0
        assert not np.isin(secret, numbers).any()
    if "dense" in kept:
        assert update.dense.tolist() == [7, 8]


@pytest.mark.parametrize("private", ["rows", "ages", "dense"])
def test_whatever_is_private_the_rest_still_travels(private: str) -> None:
    update = release(fields(**{private: PRIVATE}), state(), RATED, (), DRAWS)
    back = codec.decode(codec.encode(update))
    assert [a.tolist() for a in arrays(back)] == [a.tolist() for a in arrays(update)]


def test_a_private_clock_stays() -> None:
    assert release(fields(clock=PRIVATE), state(), RATED, (), DRAWS).clock == 0


def test_nothing_leaves_that_was_not_declared() -> None:
    update = release((), state(), RATED, (), DRAWS)
    assert [array.size for array in arrays(update)] == [0, 0, 0, 0]
    assert update.clock == 0


def test_an_update_cannot_be_made_by_hand() -> None:
    node = state()
    with pytest.raises(TypeError, match="comes from release"):
        Update(3, None, node.rows, node.ages, node.private, 0)


def test_shields_change_the_update_in_their_order() -> None:
    class Add:
        def apply(self, update: Update, rated: np.ndarray, draws: Draws) -> Update:
            return reshape(update, rows=update.rows + 1)

    class Double:
        def apply(self, update: Update, rated: np.ndarray, draws: Draws) -> Update:
            return reshape(update, rows=update.rows * 2)

    update = release(fields(), state(), RATED, (Add(), Double()), DRAWS)
    assert update.rows[0].tolist() == [2, 4]  # (0 + 1) * 2, (1 + 1) * 2


def test_shields_are_told_what_is_rated_and_where_randomness_comes_from() -> None:
    seen = []

    class Look:
        def apply(self, update: Update, rated: np.ndarray, draws: Draws) -> Update:
            seen.append((rated.tolist(), draws))
            return update

    release(fields(), state(), RATED, (Look(),), Draws(3, 4, 5))
    assert seen == [([1], Draws(3, 4, 5))]


def test_received_and_reshaped_updates_are_updates() -> None:
    node = state()
    update = received(3, None, node.rows, node.ages, node.dense, 9)
    assert reshape(update, clock=10).clock == 10
    assert update.clock == 9


def made_by(change: Callable[[Update], Update]) -> Update:
    """What leaves past a shield that does this."""

    class Own:
        def apply(self, update: Update, rated: np.ndarray, draws: Draws) -> Update:
            return change(update)

    return release(fields(), state(), RATED, (Own(),), DRAWS)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (
            lambda u: reshape(u, rows=u.rows * np.nan),
            "apply of shield Own: got NaN or infinity; allowed: finite",
        ),
        (
            lambda u: reshape(u, dense=u.dense / 0),
            "apply of shield Own: got NaN or infinity; allowed: finite",
        ),
        (
            lambda u: reshape(u, rows=u.rows[:, :1]),
            r"shield Own: model \(items, width, dense, numbers\): got \(3, 1",
        ),
        (lambda u: reshape(u, rows=u.rows[:, 0]), r"shield Own: model .*: got \(3, '1 axes'"),
        (
            lambda u: reshape(u, rows=u.rows.astype(np.float64)),
            "shield Own: model .*float64.*; allowed: .*float32",
        ),
        (
            lambda u: reshape(u, rows=u.rows[:2]),
            "shield Own: got 3 positions, 2 rows, 3 ages; allowed: as many",
        ),
    ],
)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_shield_that_spoils_the_model_is_named(change: Callable[[Update], Update], says: str) -> None:
    with pytest.raises(BadInput, match=rf"^{says}.*\(.*test_update.py, line \d+\)$"):
        made_by(change)


def test_a_model_that_was_not_finite_before_is_no_shield_s_fault() -> None:
    away = replace(state(), rows=np.full_like(state().rows, np.inf))

    class Keep:
        def apply(self, update: Update, rated: np.ndarray, draws: Draws) -> Update:
            return update

    assert np.isinf(release(fields(), away, RATED, (Keep(),), DRAWS).rows).all()
