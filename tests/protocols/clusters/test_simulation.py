"""Clusters: the two ends are gossip and a server bit for bit; in between, what an agent does step by step."""

from dataclasses import replace

import numpy as np
import pytest

from tacit.core.compiled.threads import Workers
from tacit.core.errors import BadInput
from tacit.core.interactions import Interactions
from tacit.core.node_state import NodeArrays, Ratings
from tacit.core.registry import construct
from tacit.core.rng import Stream, permutation, uniforms
from tacit.experiment.prepare import build_model, prepare
from tacit.experiment.recipes import recipe
from tacit.experiment.run_settings import RunSettings, protocol_named, settle
from tacit.merges import none
from tacit.merges.age_average import AgeAverage
from tacit.merges.row_merging import row_merging
from tacit.models.mf import MatrixFactorization
from tacit.models.training import Difference, make_tell_starts, start_biases, training
from tacit.peer_sampling.graphs import complete
from tacit.peer_sampling.uniform import pick
from tacit.protocols.clusters.simulation import ClusterSimulation, deal
from tacit.simulator import checkpoint as snapshot
from tacit.simulator.churn.sessions import always
from tacit.simulator.simulation import Scenario
from tacit.simulator.user_groups import UserGroups
from tests.simulator.small import PERIOD, setting, table

USERS, ITEMS = 12, 30
DRAWS = uniforms(5, Stream.SYNTHETIC, 0, USERS, 2 * ITEMS)
WHO, WHAT = np.nonzero(DRAWS[:, :ITEMS] < 0.3)
TRAIN = Interactions.from_pairs(
    WHO, WHAT, np.floor(DRAWS[WHO, ITEMS + WHAT] * 5) + 1, users=USERS, items=ITEMS
)


def simulation(chosen):
    parameters = settle(recipe("dymbe/shared-data-clusters").parameters, chosen)
    model = build_model(parameters, (1.0, 5.0))
    run, settings = Scenario(model, TRAIN, 3, always(), workers=Workers(1)), RunSettings.of(parameters)
    run = replace(
        run,
        epochs=settings.learning.epochs,
        full_seconds=settings.time.full_seconds,
        init_data=settings.learning.init == "data",
        staggered=settings.time.start == "staggered",
    )
    return construct(protocol_named(parameters["protocol"]), parameters).build(run)


def bits(sim):
    fleet = sim.fleet
    used = fleet.slots.rows[fleet.slot], fleet.slots.ages[fleet.slot], fleet.slots.clock[fleet.slot]
    return [array.tobytes() for array in (*used, fleet.private)], sim.messages, sim.bytes


@pytest.mark.parametrize("init", ["data", "random"])
@pytest.mark.parametrize(
    ("inside", "size", "same"),
    [
        ({"cluster.inside": "shared-data"}, 1, {"protocol": "gossip"}),
        ({"cluster.inside": "federated"}, 1, {"protocol": "gossip"}),
        ({"cluster.inside": "shared-data"}, USERS, {"protocol": "centralized"}),
        ({"cluster.inside": "federated"}, USERS, {"protocol": "federated"}),
        (
            {"cluster.inside": "federated", "cluster.average": "clients"},
            USERS,
            {"protocol": "federated", "average": "clients"},
        ),
    ],
)
def test_the_ends_are_gossip_and_a_server_bit_for_bit(inside, size, same, init):
    ends = (simulation({"init": init, "cluster.size": size, **inside}), simulation({"init": init, **same}))
    for sim in ends:
        sim.advance(7 * ends[0].period)
    assert ends[0].period == ends[1].period
    assert bits(ends[0]) == bits(ends[1])


def by_hand(members, federated, rounds, model, seed=3):
    """Synchronous rounds of agents, written out with one list a thing."""
    hyper, agents = model.hyper(), members.agents
    rows = [np.zeros((ITEMS, model.row_width), np.float32) for _ in range(agents)]
    ages = [np.zeros(ITEMS, np.int32) for _ in range(agents)]
    private = np.zeros((USERS, model.private_size), np.float32)
    empty = np.zeros(0, np.float32)
    train, difference = training(model)
    tell_starts, merge_all = (
        make_tell_starts(model.kernels.init_data),
        row_merging(AgeAverage().weight).merge_all,
    )
    users = [members.user[a:b].tolist() for a, b in zip(members.first, members.first[1:], strict=False)]
    for u in range(USERS):
        model.kernels.init_private(seed, u, private[u], hyper)
    for a in range(agents):
        model.kernels.init_rows(seed, a, rows[a], empty, hyper)
        sums, counts = np.zeros(ITEMS), np.zeros(ITEMS, np.int64)
        for u in users[a]:
            tell_starts(private[u], *TRAIN.of(u), sums, counts, hyper)
        start_biases(rows[a], ages[a], sums, counts)
    turns = [0] * agents
    for r in range(rounds):
        before = [(y.copy(), t.copy()) for y, t in zip(rows, ages, strict=True)]
        for sender in range(agents):
            peer = pick(seed, sender, r, agents - 1)
            peer += peer >= sender
            merge_all(rows[peer], ages[peer], *before[sender], rows[peer], ages[peer], 0.0)
            draws = turns[peer]
            if federated and len(users[peer]) > 1:
                model_before = rows[peer].copy()
                moved = {i: [] for i in range(ITEMS)}
                for u in users[peer]:
                    items, values = TRAIN.of(u)
                    out, touched = (
                        np.zeros((len(items), model.row_width), np.float32),
                        np.zeros(len(items), bool),
                    )
                    server = NodeArrays(model_before, ages[peer], empty, private[u], empty)
                    back = Difference(out, empty, touched)
                    difference(server, Ratings(items, values), 1, (seed, u, draws), hyper, False, back)
                    for n, i in enumerate(items):
                        moved[i].append(out[n])
                for i, steps in moved.items():
                    if steps:
                        over = len(users[peer]) if federated == "clients" else len(steps)
                        rows[peer][i] += sum(steps[1:], steps[0]) / np.float32(over)
                        ages[peer][i] += 1
            else:
                for place in permutation(seed, Stream.ORDER, peer, draws, len(users[peer])):
                    u = users[peer][place]
                    node = NodeArrays(rows[peer], ages[peer], empty, private[u], empty)
                    train(node, Ratings(*TRAIN.of(u)), 1, (seed, u, draws), hyper)
            turns[peer] += 1
    return rows, ages, private


@pytest.mark.parametrize(("average", "rows"), [("raters", [2, 1, 0]), ("clients", [1, 1, 0])])
def test_a_federated_round_in_a_cluster_of_two(average, rows):
    # User 0 rated items 0 and 1 with 4 and 2, user 1 item 1 with 4; user 2 is an agent alone, without data.
    train = table((0, 0, 4), (0, 1, 2), (1, 1, 4), users=3, items=3)
    groups = UserGroups(np.array([0, 2, 3]), np.array([0, 1, 2], np.int32))
    run = setting(train, staggered=False)
    sim = ClusterSimulation(run, none.merge(), complete(2), groups, federated=average)
    # The agent's model becomes user 2's, all 0. User 0 changes items 0 and 1 by 2 and 0, user 1 item 1 by 2.
    sim.advance(2 * PERIOD)
    assert sim.fleet.node(0).rows[:, 0].tolist() == rows
    assert sim.fleet.private.tolist() == [[2], [2], [0]]


@pytest.mark.parametrize("federated", [None, "raters", "clients"])
def test_in_between_step_by_step(federated):
    model = MatrixFactorization(k=2, eta=0.1, eta_b=0.01, init="data")
    members = deal(USERS, 5, 3)
    assert members.sizes.tolist() == [4, 4, 4]
    run = Scenario(model, TRAIN, 3, always(), workers=Workers(1), init_data=True, full_seconds=10)
    sim = ClusterSimulation(
        replace(run, staggered=False), AgeAverage(), complete(3), members, federated=federated
    )
    assert sim.period == (20_000_000 if federated else 10_000_000)
    sim.advance(4 * sim.period)
    rows, ages, private = by_hand(members, federated, 4, model)
    fleet = sim.fleet
    # What is told to an agent through masked sums is in fixed point: equal to within its steps.
    close = {"rtol": 0, "atol": 1e-5 if federated else 0}
    for u in range(USERS):
        agent = members.agent[u]
        np.testing.assert_allclose(fleet.node(u).rows, rows[agent], **close)
        assert fleet.node(u).ages.tolist() == ages[agent].tolist()
    np.testing.assert_allclose(fleet.private, private, **close)


def test_what_is_sent():
    shared, federated = (
        simulation({"cluster.size": 4, "cluster.inside": w}) for w in ("shared-data", "federated")
    )
    for sim in (shared, federated):
        sim.advance(3 * sim.period)
    model_bytes = 28 + ITEMS * (4 + 4 * 6)
    # Agents' sends at 0, 1, 2, 3 periods; 3 agents. Everybody's ratings once.
    assert shared.messages == 12 + USERS
    assert shared.bytes == 12 * model_bytes + 8 * len(TRAIN)
    assert shared.traffic.bytes.tolist() == (8 * TRAIN.counts).tolist()
    # Each time an agent learns, each of its four users downloads and uploads a model.
    assert federated.node_rounds == 9
    assert federated.messages == 12 + 9 * 4 * 2
    assert federated.bytes == (12 + 9 * 4 * 2) * model_bytes
    assert federated.traffic.updates.sum() == 9 * 4


def test_going_on_from_a_saved_state(tmp_path):
    chosen = {"cluster.size": 4, "start": "staggered"}
    whole, first, second = (simulation(chosen) for _ in range(3))
    whole.advance(6 * whole.period)
    first.advance(3 * first.period)
    snapshot.write(tmp_path / "state.npz", first.save())
    with snapshot.Reader(tmp_path / "state.npz") as arrays:
        second.restore(arrays)
    second.advance(6 * second.period)
    assert bits(whole) == bits(second)


def test_subsampled_messages_carry_rows_of_the_whole_cluster_first():
    sim = simulation({"cluster.size": 4, "subsample": 0.2})
    sim.advance(3 * sim.period)
    assert sim._sent.rows.tolist() == sim._sent.rows_rated.tolist()


def test_agents_stay_online():
    with pytest.raises(BadInput, match="agents of clusters stay online"):
        prepare("dymbe/shared-data-clusters", "synthetic", {"cluster.size": 4, "churn": "generated"})


def test_members_of_an_agent():
    members = UserGroups(np.array([0, 2, 3]), np.array([0, 2, 1], np.int32))
    assert members.agent.tolist() == [0, 1, 0]
