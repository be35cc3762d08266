"""Networks without a server end with what a server would compute; sums are never lost; newcomers join."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.core.math.als_solver import gram, solve
from tacit.core.message.half_precision import widen
from tacit.protocols.push_sum.simulation import Conduct, PushSumSimulation
from tacit.protocols.push_sum.state import DISCARDED, EPOCH, GOOD, SIDE, TOLD
from tacit.simulator import checkpoint as snapshot
from tacit.simulator.churn.sessions import Sessions
from tacit.simulator.simulation import ticks
from tests.equivalence.networks import FULL
from tests.equivalence.sums import Sums, total

PERIOD = ticks(FULL)


def mean_rows(simulation: PushSumSimulation) -> np.ndarray:
    return simulation.fleet.slots.rows.astype(np.float64)


@given(
    st.integers(2, 12),
    st.sampled_from([0.0, 0.3]),
    st.sampled_from([0.0, 8.0]),
    st.booleans(),
    st.lists(st.integers(1, PERIOD), min_size=3, max_size=12),
)
@settings(max_examples=25, deadline=None)
def test_nothing_of_the_sums_is_ever_lost(
    users: int, loss: float, masks: float, churn: bool, steps: list[int]
) -> None:
    conduct = Conduct(turns=100, loss=loss, masks=masks, partners=2, patience=10**6)
    simulation = Sums(users, churn=churn, conduct=conduct).simulation()
    before = total(simulation, 0)
    if masks == 0:
        assert before[-1] == users
    for step in steps:
        simulation.advance(simulation.now + step)
        assert total(simulation, 0) == pytest.approx(before, abs=2e-5 * max(1.0, masks))


@pytest.mark.parametrize("masks", [0.0, 30.0])
def test_everybody_ends_with_the_rows_a_server_would_compute(masks: float) -> None:
    conduct = Conduct(turns=40, masks=masks, tolerance=0.5)
    network = Sums(30, conduct=conduct)
    simulation = network.simulation()
    start = mean_rows(simulation)[0].astype(np.float32)
    simulation.advance(42 * PERIOD)
    assert (simulation.book.clock[:, GOOD] == 0).all()
    train, k = network.train, network.model.k
    people = np.zeros((train.users, k))
    for u in range(train.users):
        solve(start, gram(start), train.of(u)[0], 0.1, 0.3, people[u])
    counted = float(simulation.book.known[0, 1])
    assert 15 < counted < 60
    rows = np.zeros((train.items, k))
    for j in range(train.items):
        those = people[train.user[train.item == j]]
        b, n = those.sum(axis=0) / len(people), len(those) / len(people)
        ridge = 0.3 / np.sqrt(counted) * np.sqrt(n + 0.1) * np.eye(k)
        rows[j] = np.linalg.solve(0.1 * people.T @ people / len(people) + np.outer(b, b) / n + ridge, b)
    assert mean_rows(simulation) == pytest.approx(
        np.broadcast_to(rows, (30, *rows.shape)), rel=0.04, abs=0.004
    )


def test_ones_own_vector_is_always_the_exact_one_for_ones_rows() -> None:
    network = Sums(conduct=Conduct(turns=8, loss=0.2))
    simulation = network.simulation()
    simulation.advance(20 * PERIOD + 77)
    rows = mean_rows(simulation).astype(np.float32)
    for u in range(network.users):
        own = np.zeros(3, np.float32)
        solve(rows[u], gram(rows[u]), network.train.of(u)[0], 0.1, 0.3, own)
        assert own.tobytes() == simulation.book.private[u].tobytes()


def test_masks_that_do_not_cancel_are_noticed_and_the_last_good_rows_stay() -> None:
    network = Sums(20, conduct=Conduct(turns=30, masks=30.0, tolerance=0.5))
    simulation = network.simulation()
    simulation.advance(31 * PERIOD)
    assert (simulation.book.clock[:, GOOD] == 0).all()
    good = simulation.book.rows.copy()
    simulation.book.sums[3, :-1] = 0  # what node 3 held is gone, its masks with it
    simulation.advance(100 * PERIOD)  # nothing is left to mix for as long as an epoch is, and it is given up
    assert (simulation.book.clock[:, DISCARDED] == 1).all()
    assert (simulation.book.clock[:, GOOD] == 0).all()
    assert simulation.book.rows.tobytes() == good.tobytes()
    simulation.advance(142 * PERIOD)
    assert (simulation.book.clock[:, GOOD] == 2).all()  # and the next epoch is fine


def leaving(users: int, periods: dict[int, int]) -> Sessions:
    """Everybody is there from the start; some leave for good."""
    end = np.full(users, 2**50)
    for u, period in periods.items():
        end[u] = period * PERIOD
    return Sessions(np.arange(users + 1), np.zeros(users, np.int64), end)


def test_after_two_spoiled_epochs_everybody_goes_on_with_the_rows_there_are() -> None:
    simulation = Sums(20, conduct=Conduct(turns=30, masks=30.0, tolerance=0.5)).simulation()
    simulation.advance(31 * PERIOD)
    for _ in range(2):
        epoch = simulation.book.clock[:, EPOCH].max()
        simulation.book.sums[3, :-1] = 0
        while simulation.book.clock[:, EPOCH].min() == epoch:
            simulation.advance(simulation.now + PERIOD)
        simulation.advance(simulation.now + PERIOD)
    clock = simulation.book.clock
    assert (clock[:, GOOD] == 0).all()
    assert (clock[:, EPOCH] == 3).all()
    simulation.advance(simulation.now + 40 * PERIOD)
    assert (clock[:, GOOD] == 3).all()


@pytest.mark.parametrize(
    ("gone", "loss", "discarded"),
    [
        ({4: 50}, 0.0, 0),  # in the middle of the second epoch, when what it told is mixed
        ({4: 50}, 0.1, 1),  # where messages are lost it is not mixed as well by then
        ({4: 36}, 0.0, 1),  # in its first turns: that epoch is spoiled
        ({4: 36}, 0.1, 1),
        ({4: 50, 17: 52}, 0.0, 1),  # somebody has three pairs with the two, and may not leave them all
        ({4: 50, 17: 52}, 0.1, 2),
    ],
)
def test_who_leaves_for_good_spoils_no_later_epoch(gone: dict[int, int], loss: float, discarded: int) -> None:
    users = 30
    conduct = Conduct(masks=20.0, loss=loss)
    simulation = Sums(users, conduct=conduct, online=leaving(users, gone)).simulation()
    simulation.advance(300 * PERIOD)
    clock, stay = simulation.book.clock, np.delete(np.arange(users), list(gone))
    assert (clock[stay, GOOD] >= 4).all()
    assert np.median(clock[stay, DISCARDED]) == discarded
    of_gone = np.isin(simulation.book.partner[stay], list(gone))
    assert not simulation.book.pair[stay, :, SIDE][of_gone].any()  # nobody waits for them any more


@pytest.mark.parametrize("users", [2, 3, 5])
def test_masks_work_in_the_smallest_networks(users: int) -> None:
    simulation = Sums(users, conduct=Conduct(turns=25, masks=10.0, tolerance=0.5)).simulation()
    simulation.advance(120 * PERIOD)
    assert (simulation.book.clock[:, GOOD] >= 2).all()
    pairs = (simulation.book.partner >= 0).sum(axis=1)
    told = simulation.book.course[:, TOLD] == 1
    assert (told == (pairs >= 2)).all()  # of four


def test_lost_messages_make_a_masked_epoch_longer_and_not_worse() -> None:
    calm = Sums(30, conduct=Conduct(masks=20.0)).simulation()
    rough = Sums(30, conduct=Conduct(masks=20.0, loss=0.2)).simulation()
    for simulation in (calm, rough):
        simulation.advance(75 * PERIOD)
    ends = [simulation.book.clock[:, EPOCH].mean() for simulation in (calm, rough)]
    assert ends[0] > ends[1] >= 1
    assert (rough.book.clock[:, GOOD] >= 0).mean() > 0.8


def test_nodes_that_are_away_for_a_while_do_no_harm() -> None:
    users, end = 20, 2**50
    first, begin, until = [0], [], []
    for u in range(users):
        for span in {3: [(0, 4), (9, end)], 7: [(0, 12), (17, end)]}.get(u, [(0, end)]):
            begin.append(span[0] * PERIOD)
            until.append(min(span[1] * PERIOD, end))
        first.append(len(begin))
    online = Sessions(*(np.array(column, np.int64) for column in (first, begin, until)))
    simulation = Sums(users, conduct=Conduct(turns=30, masks=20.0), online=online).simulation()
    simulation.advance(62 * PERIOD)
    clock = simulation.book.clock
    assert (clock[:, GOOD] >= 0).mean() > 0.8
    assert clock[:, DISCARDED].mean() < 0.2


def test_a_newcomer_joins_the_epoch_it_hears_of_and_has_everybodys_rows_at_its_end() -> None:
    users, late = 20, 45 * PERIOD
    begin = np.zeros(users, np.int64)
    begin[5] = late
    online = Sessions(np.arange(users + 1), begin, np.full(users, 2**50))
    simulation = Sums(users, conduct=Conduct(turns=10), online=online).simulation()
    simulation.advance(late)
    assert simulation.book.clock[5, EPOCH] == 0
    simulation.advance(late + 3 * PERIOD)
    others = np.delete(simulation.book.clock[:, EPOCH], 5)
    assert simulation.book.clock[5, EPOCH] == others.max() > 2
    assert simulation.book.sums[5, -1] < 1.0  # it adds nothing: its rows are not theirs yet
    simulation.advance(late + 14 * PERIOD)
    rows = mean_rows(simulation)
    apart = np.abs(rows[5] - rows[6]).mean() / np.abs(rows[6]).mean()
    assert apart < 0.1


def test_messages_are_sparse_while_sums_are() -> None:
    simulation = Sums(6, items=200, conduct=Conduct(turns=30)).simulation()
    rated = np.zeros(200 * 4, np.float32)
    widen(simulation.book.words[0][: 200 * 4], rated)
    simulation.advance(PERIOD)
    early = simulation.bytes / simulation.messages
    simulation.advance(20 * PERIOD)
    before, count = simulation.bytes, simulation.messages
    simulation.advance(25 * PERIOD)
    late = (simulation.bytes - before) / (simulation.messages - count)
    assert early < 0.8 * late


def test_going_on_from_a_saved_state_ends_with_the_same_bits(tmp_path: Path) -> None:
    network = Sums(conduct=Conduct(turns=9, masks=5.0, loss=0.2, speeds=0.5), churn=True)
    whole, first, second = (network.simulation() for _ in range(3))
    whole.advance(25 * PERIOD)
    first.advance(11 * PERIOD + 5)
    snapshot.write(tmp_path / "state.npz", first.save())
    with snapshot.Reader(tmp_path / "state.npz") as arrays:
        second.restore(arrays)
    second.advance(25 * PERIOD)
    for name, ours, theirs in zip(whole.book._fields, whole.book, second.book, strict=True):
        assert ours.tobytes() == theirs.tobytes(), name
    assert second.bytes == whole.bytes
