"""The compiled rounds against a plain reading of the papers, with the same random numbers."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tacit.core.compiled.threads import Workers
from tacit.core.interactions import Interactions
from tacit.core.message import codec
from tacit.core.message.update import received
from tacit.core.rng import Stream, below, two
from tacit.models.bpr import PairwiseRanking
from tacit.privacy.disclosure import discloses
from tacit.protocols.centralized_pairs.simulation import CentralPairsSimulation
from tacit.protocols.federated_pairs.simulation import Pace, PairsSimulation
from tacit.simulator import checkpoint as snapshot
from tacit.simulator.churn.availability import Availability
from tacit.simulator.churn.sessions import SECOND, always, online_through
from tacit.simulator.simulation import Scenario

USERS, ITEMS = 4, 12
TABLE = Interactions.from_pairs(
    [0, 0, 0, 1, 1, 2, 3, 3, 3, 3], [0, 5, 7, 1, 5, 2, 3, 8, 9, 11], users=USERS, items=ITEMS
)
SETTING = Scenario(PairwiseRanking(k=3, lr=0.3), TABLE, 5, always(), dtype="float64", workers=Workers(1))


BY_ADAM = replace(SETTING, model=PairwiseRanking(k=3, lr=0.02, optimizer="adam"))


class Plain:
    """Steps of lr times the slope."""

    def up(self, whose: str, slope: np.ndarray, lr: float) -> np.ndarray:
        return lr * slope


class Adam(Plain):
    """Kingma and Ba's algorithm 1, with moments of its own for every vector."""

    def __init__(self) -> None:
        self.kept: dict[str, tuple[int, np.ndarray, np.ndarray]] = {}

    def up(self, whose: str, slope: np.ndarray, lr: float) -> np.ndarray:
        t, m, v = self.kept.get(whose, (0, np.zeros(len(slope)), np.zeros(len(slope))))
        t, m, v = t + 1, 0.9 * m + 0.1 * slope, 0.999 * v + 0.001 * slope**2
        self.kept[whose] = t, m, v
        step: np.ndarray = lr * (m / (1 - 0.9**t)) / (np.sqrt(v / (1 - 0.999**t)) + 1e-8)
        return step


def naive(
    pace: Pace, pi: np.ndarray, whole: bool, epochs: int, scenario: Scenario = SETTING
) -> tuple[np.ndarray, np.ndarray, list[int]]:
    """Q with b, P, and the rows each exchange sent, by the book."""
    start = PairsSimulation(scenario, pace)
    way = Adam() if scenario.model.optimizer == "adam" else Plain()
    q, p = start.fleet.slots.rows[0].copy(), start.fleet.private.copy()
    h = scenario.model.hyper()
    sent = []
    length = start.period // pace.rounds
    ready, day = round(scenario.full_seconds * SECOND), 24 * 3600 * SECOND
    triples = [pace.triples] * USERS if pace.each is None else pace.each.tolist()
    for r in range(epochs * pace.rounds):
        now = r * length % day

        def stays(u: int, begin: int, end: int, now: int = now) -> bool:
            return online_through(scenario.sessions, u, now + begin, now + end)

        there = [u for u in range(USERS) if stays(u, 0, 0) and triples[u] > 0]
        clients = there
        if pace.clients == 1:
            asked = (below(5, Stream.CLIENTS, 0, r, draw, USERS) for draw in range(1000))
            clients = [next(u for u in asked if u in there)] if there else []
        total, received_rows = np.zeros_like(q), set()
        for u in clients:
            if not stays(u, 0, ready):
                continue
            own, told, draw, before = TABLE.of(u)[0].tolist(), set(), 0, total.copy()
            for t in range(triples[u]):
                a, b = two(5, Stream.PAIRS, u, r, draw)
                draw += 1
                i, j = own[int(a * len(own))], int(b * ITEMS)
                while j in own:
                    j = int(two(5, Stream.PAIRS, u, r, draw)[0] * ITEMS)
                    draw += 1
                g = np.float32(1 / (1 + np.exp(q[i, 3] - q[j, 3] + p[u] @ (q[i, :3] - q[j, :3]))))
                if discloses(5, u, r, i if whole else t, pi[u]) and may(scenario, u, i):
                    total[i] += [*(g * p[u] - h.reg_pos * q[i, :3]), g]
                    told.add(i)
                total[j] += [*(-g * p[u] - h.reg_neg * q[j, :3]), -g]
                told.add(j)
                p[u] = p[u] + way.up(f"client {u}", g * (q[i, :3] - q[j, :3]) - h.reg_u * p[u], h.lr)
            sent.append(len(told))
            if stays(u, ready, length):
                received_rows |= told
            else:
                total = before
        for i in sorted(received_rows):
            q[i] = q[i] + way.up(f"item {i}", total[i], h.lr)
    return q, p, sent


def may(scenario: Scenario, u: int, i: int) -> bool:
    """Whether an update about this item may leave at all."""
    if scenario.may_leave is None:
        return True
    entry = np.flatnonzero((TABLE.user == u) & (TABLE.item == i))
    return bool(scenario.may_leave[entry[0]])


@pytest.mark.parametrize("pace", [Pace(1, 1, 10), Pace(1, 3, 10), Pace(USERS, 1, 3), Pace(USERS, 3, 3)])
@pytest.mark.parametrize("whole", [True, False])
def test_as_the_papers_say(pace: Pace, whole: bool) -> None:
    pi = np.array([0.0, 0.3, 0.8, 1.0])
    simulation = PairsSimulation(replace(SETTING, pi=pi), pace, whole_items=whole)
    simulation.advance(2 * simulation.period)
    q, p, sent = naive(pace, pi, whole, 2)
    assert np.allclose(simulation.fleet.slots.rows[0], q, atol=1e-6)
    assert np.allclose(simulation.fleet.private, p, atol=1e-6)
    assert simulation.traffic.rows.sum() == sum(sent) == simulation.updates_per_item().sum()
    assert simulation.node_rounds == len(sent)
    assert simulation.traffic.rows_rated[0] == 0


@pytest.mark.parametrize("pace", [Pace(1, 3, 10), Pace(USERS, 3, 3)])
def test_by_adam_who_takes_a_step_remembers_it(pace: Pace) -> None:
    pi = np.array([0.0, 0.3, 0.8, 1.0])
    simulation, plain = (PairsSimulation(replace(s, pi=pi), pace) for s in (BY_ADAM, SETTING))
    for one in (simulation, plain):
        one.advance(2 * one.period)
    q, p, _ = naive(pace, pi, True, 2, BY_ADAM)
    assert np.allclose(simulation.fleet.slots.rows[0], q, atol=1e-6)
    assert np.allclose(simulation.fleet.private, p, atol=1e-6)
    # What travels is gradients of the same items, and not one byte more.
    assert simulation.traffic.bytes.tolist() == plain.traffic.bytes.tolist()
    assert simulation.bytes == plain.bytes
    assert not any(len(memory) for memory in plain._memories.values()), "plain steps remember nothing"


def test_bytes_are_those_the_codec_would_write() -> None:
    simulation = PairsSimulation(SETTING, Pace(1, 2, 1))
    simulation.advance(simulation.period)
    rows = int(simulation.traffic.rows.sum())
    update = received(
        ITEMS, np.arange(rows, dtype=np.int32), np.zeros((rows, 4)), np.zeros(rows, np.int32), np.zeros(0), 1
    )
    model = received(ITEMS, None, np.zeros((ITEMS, 4)), np.zeros(ITEMS, np.int32), np.zeros(0), 1)
    assert simulation.traffic.bytes.sum() == len(codec.encode(update))
    assert simulation.bytes == len(codec.encode(update)) + len(codec.encode(model))


def test_training_negatives_may_be_held_out_items_unless_told_otherwise() -> None:
    held = Interactions.from_pairs([0] * 8, [1, 2, 3, 4, 6, 8, 9, 10], users=USERS, items=ITEMS)
    everything = Interactions.from_pairs(
        [*TABLE.user, *held.user], [*TABLE.item, *held.item], users=USERS, items=ITEMS
    )
    setting = replace(SETTING, train=TABLE.take(TABLE.user == 0))
    only_first = Pace(1, 50, 1)
    for avoid, expected in ((None, set(range(ITEMS))), (everything, {0, 5, 7, 11})):
        known = replace(setting_of_one(setting), avoid=None if avoid is None else one(avoid))
        simulation = PairsSimulation(known, only_first)
        simulation.advance(simulation.period)
        assert set(np.flatnonzero(simulation.updates_per_item()).tolist()) == expected


def one(table: Interactions) -> Interactions:
    """The first user alone."""
    mine = table.of(0)[0]
    return Interactions.from_pairs([0] * len(mine), mine, users=1, items=ITEMS)


def setting_of_one(scenario: Scenario) -> Scenario:
    return replace(scenario, train=one(scenario.train))


def test_an_observing_server_sees_what_was_sent_and_nothing_else() -> None:
    simulation = PairsSimulation(replace(SETTING, pi=np.zeros(USERS)), Pace(USERS, 3, 5), observe=True)
    simulation.advance(simulation.period)
    assert sorted(simulation.watched.tolist()) == list(range(USERS))
    for row, u in enumerate(simulation.watched):
        assert not simulation.observed.seen[row, TABLE.of(int(u))[0]].any()
    assert (simulation.observed.bias <= 0).all()
    assert simulation.observed.seen.sum() == USERS * 3 * 5


@pytest.mark.parametrize("scenario", [SETTING, BY_ADAM], ids=["plain", "adam"])
def test_saved_and_restored_it_goes_on_with_the_same_bits(scenario: Scenario, tmp_path: Path) -> None:
    def fresh() -> PairsSimulation:
        return PairsSimulation(replace(scenario, pi=np.full(USERS, 0.5)), Pace(1, 3, 10), observe=True)

    straight, halfway, resumed = fresh(), fresh(), fresh()
    straight.advance(4 * straight.period)
    halfway.advance(2 * halfway.period)
    snapshot.write(tmp_path / "state.npz", halfway.save())
    with snapshot.Reader(tmp_path / "state.npz") as reader:
        resumed.restore(reader)
    resumed.advance(4 * resumed.period)
    for name, array in straight.save().items():
        assert np.array_equal(array, resumed.save()[name]), name


def test_centrally_every_interaction_is_equally_likely() -> None:
    simulation = CentralPairsSimulation(replace(SETTING, workers=Workers(1)))
    simulation.advance(400 * simulation.period)
    share = simulation._uploads.updates / simulation._uploads.updates.sum()
    assert share == pytest.approx(TABLE.counts / len(TABLE), abs=0.03)
    assert simulation.bytes == 8 * len(TABLE)
    assert simulation.messages == USERS


def test_in_a_batch_a_client_moves_once_by_the_sum_of_its_gradients() -> None:
    """FedeRank, equations 1 to 3: every triple's gradient is that at the vector the client had."""
    pace = Pace(1, 4, 1)
    simulation = PairsSimulation(SETTING, pace, batch=True)
    q, p = simulation.fleet.slots.rows[0].copy(), simulation.fleet.private.copy()
    h = SETTING.model.hyper()
    simulation.advance(simulation.period)
    u = below(5, Stream.CLIENTS, 0, 0, 0, USERS)
    own, draw, moved, total = TABLE.of(u)[0].tolist(), 0, np.zeros(3), np.zeros_like(q)
    for _ in range(4):
        a, b = two(5, Stream.PAIRS, u, 0, draw)
        draw += 1
        i, j = own[int(a * len(own))], int(b * ITEMS)
        while j in own:
            j = int(two(5, Stream.PAIRS, u, 0, draw)[0] * ITEMS)
            draw += 1
        g = 1 / (1 + np.exp(q[i, 3] - q[j, 3] + p[u] @ (q[i, :3] - q[j, :3])))
        moved += g * (q[i, :3] - q[j, :3]) - h.reg_u * p[u]
        total[i, :3] += g * p[u] - h.reg_pos * q[i, :3]
        total[j, :3] += -g * p[u] - h.reg_neg * q[j, :3]
        total[i, 3] += g
        total[j, 3] -= g
    assert np.allclose(simulation.fleet.private[u], p[u] + h.lr * moved, atol=1e-6)
    assert np.allclose(simulation.fleet.slots.rows[0], q + h.lr * total, atol=1e-6)


def test_biases_are_regularized_where_that_is_set() -> None:
    """With a large number they hardly leave 0; by default they are not, as in the papers' figures."""
    strong = replace(SETTING, model=replace(SETTING.model, reg_bias=0.5))
    found = []
    for setting in (SETTING, strong):
        simulation = PairsSimulation(setting, Pace(1, 3, 10))
        simulation.advance(5 * simulation.period)
        found.append(np.abs(simulation.fleet.slots.rows[0, :, 3]).max())
    assert found[1] < 0.7 * found[0]


def test_by_data_triples_are_uniform_over_all_interactions() -> None:
    simulation = PairsSimulation(SETTING, Pace(1, 1, len(TABLE), by_data=True))
    simulation.advance(300 * simulation.period)
    share = simulation.traffic.updates / simulation.traffic.updates.sum()
    assert share == pytest.approx(TABLE.counts / len(TABLE), abs=0.03)


EACH = np.array([1, 0, 4, 2])


@pytest.mark.parametrize("pace", [Pace(1, 4, 10, each=EACH), Pace(USERS, 4, 3, each=EACH)])
def test_each_client_draws_its_own_number_of_triples(pace: Pace) -> None:
    simulation = PairsSimulation(SETTING, pace)
    simulation.advance(2 * simulation.period)
    q, p, sent = naive(pace, np.ones(USERS), True, 2)
    assert np.allclose(simulation.fleet.slots.rows[0], q, atol=1e-6)
    assert np.allclose(simulation.fleet.private, p, atol=1e-6)
    assert simulation.traffic.rows.sum() == sum(sent)
    assert simulation.traffic.updates[1] == 0, "who draws none takes no part"
    asked = min(pace.clients, 3)
    assert simulation.costs()["cce"] == pytest.approx(asked * pace.rounds * (ITEMS + 2 * (1 + 4 + 2) / 3))


KEPT = np.array([True, False, True, True, True, False, True, False, True, True])


def test_the_cost_of_an_epoch_counts_what_is_disclosed_by_those_who_are_picked() -> None:
    """Clients have 3, 2, 1 and 4 items, of which 2, 2, 0 and 3 may leave; a half of these does."""
    scenario = replace(SETTING, may_leave=KEPT, pi=np.full(USERS, 0.5))
    uniform, by_data = (
        PairsSimulation(scenario, Pace(1, 2, 10, by_data=by_data)).costs()["cce"] for by_data in (False, True)
    )
    assert uniform == pytest.approx(10 * (ITEMS + 2 * (1 + 0.5 * (2 / 3 + 1 + 0 + 3 / 4) / 4)))
    assert by_data == pytest.approx(10 * (ITEMS + 2 * (1 + 0.5 * (2 + 2 + 0 + 3) / 10)))


@pytest.mark.parametrize("whole", [True, False])
def test_of_what_may_not_leave_no_update_is_ever_sent(whole: bool) -> None:
    pace, scenario = Pace(USERS, 3, 10), replace(SETTING, may_leave=KEPT)
    simulation = PairsSimulation(scenario, pace, whole_items=whole, observe=True)
    simulation.advance(2 * simulation.period)
    q, p, sent = naive(pace, np.ones(USERS), whole, 2, scenario)
    assert np.allclose(simulation.fleet.slots.rows[0], q, atol=1e-6)
    assert np.allclose(simulation.fleet.private, p, atol=1e-6)
    assert simulation.traffic.rows.sum() == sum(sent)
    for row, u in enumerate(simulation.watched.tolist()):
        mine, part = TABLE.of(u)[0], slice(TABLE.start[u], TABLE.start[u + 1])
        assert np.array_equal(simulation.observed.seen[row, mine] > 0, KEPT[part])


HOUR = 3600 * SECOND
COMING_AND_GOING = Availability.from_sessions(
    [0, 0, 1, 2, 2],
    [0, 6 * HOUR, 0, HOUR, 9 * HOUR],
    [4 * HOUR, 23 * HOUR, 8 * HOUR, 2 * HOUR, 24 * HOUR],
    nodes=4,
).sessions
"""User 3 is never online."""
CHURN = replace(SETTING, sessions=COMING_AND_GOING)


@pytest.mark.parametrize("pace", [Pace(1, 1, 40), Pace(1, 3, 40), Pace(USERS, 3, 40)])
def test_only_clients_that_are_online_take_part(pace: Pace) -> None:
    simulation = PairsSimulation(CHURN, pace)
    simulation.advance(4 * simulation.period)
    q, p, sent = naive(pace, np.ones(USERS), True, 4, CHURN)
    assert np.allclose(simulation.fleet.slots.rows[0], q, atol=1e-6)
    assert np.allclose(simulation.fleet.private, p, atol=1e-6)
    assert simulation.traffic.rows.sum() == sum(sent)
    assert simulation.node_rounds == len(sent) == simulation.traffic.updates.sum()
    assert simulation.traffic.updates[3] == 0
    assert np.array_equal(simulation.fleet.private[3], PairsSimulation(CHURN, pace).fleet.private[3])
    assert simulation.downloads > simulation.node_rounds, "some leave before the model is there"
    assert simulation.lost > 0
    costs = simulation.costs()
    assert costs["clients_per_round"] == len(sent) / (4 * pace.rounds)
    assert costs["updates_lost"] == simulation.lost
    # What was lost is counted as sent, and not as received.
    assert simulation.updates_per_item().sum() < sum(sent)


def test_by_adam_a_lost_update_moves_no_row() -> None:
    scenario = replace(BY_ADAM, sessions=COMING_AND_GOING)
    simulation = PairsSimulation(scenario, Pace(USERS, 3, 40))
    simulation.advance(4 * simulation.period)
    q, p, _ = naive(Pace(USERS, 3, 40), np.ones(USERS), True, 4, scenario)
    assert simulation.lost > 0
    assert np.allclose(simulation.fleet.slots.rows[0], q, atol=1e-6)
    assert np.allclose(simulation.fleet.private, p, atol=1e-6)


def test_some_of_several_clients_that_are_online() -> None:
    pace = Pace(2, 1, 50)
    simulation = PairsSimulation(CHURN, pace)
    simulation.advance(simulation.period)
    length, day = simulation.period // pace.rounds, 24 * HOUR
    most = sum(
        min(2, sum(online_through(COMING_AND_GOING, u, t, t) for u in range(USERS)))
        for t in (r * length % day for r in range(pace.rounds))
    )
    assert simulation.downloads == most


def test_with_churn_it_goes_on_with_the_same_bits(tmp_path: Path) -> None:
    straight, halfway, resumed = (PairsSimulation(CHURN, Pace(1, 3, 40)) for _ in range(3))
    straight.advance(4 * straight.period)
    halfway.advance(2 * halfway.period)
    snapshot.write(tmp_path / "state.npz", halfway.save())
    with snapshot.Reader(tmp_path / "state.npz") as reader:
        resumed.restore(reader)
    resumed.advance(4 * resumed.period)
    assert resumed.lost == straight.lost > 0
    for name, array in straight.save().items():
        assert np.array_equal(array, resumed.save()[name]), name


def test_everybody_online_is_as_without_churn() -> None:
    busy = replace(SETTING, sessions=Availability.always(USERS).sessions)
    for pace in (Pace(1, 2, 20), Pace(3, 2, 20), Pace(USERS, 2, 20), Pace(1, 2, 20, by_data=True)):
        one, two = (PairsSimulation(scenario, pace) for scenario in (SETTING, busy))
        for each in (one, two):
            each.advance(2 * each.period)
        assert np.array_equal(one.fleet.slots.rows, two.fleet.slots.rows)
        assert np.array_equal(one.fleet.private, two.fleet.private)
        assert (two.lost, one.bytes) == (0, two.bytes)
