"""Federated rounds by hand: clients that share an item, downloads and uploads that are lost."""

from __future__ import annotations

import pytest

from tacit.core.message.codec import encoded_size
from tacit.models.training import Average
from tacit.protocols.federated.simulation import FederatedSimulation
from tacit.simulator.churn.sessions import SECOND, Sessions
from tests.simulator.small import PERIOD, Spans, online, setting, table

# Client 0 rated items 0 and 1 with 4 and 2; client 1 rated item 1 with 4.
TRAIN = table((0, 0, 4), (0, 1, 2), (1, 1, 4), users=2, items=3)
ROUND = 2 * PERIOD


def server(
    sessions: Sessions | None = None, share: float = 1.0, average: Average = "raters", **extra: object
) -> FederatedSimulation:
    return FederatedSimulation(setting(TRAIN, sessions, **extra), share=share, average=average)


def biases(simulation: FederatedSimulation) -> list[float]:
    return simulation.fleet.slots.rows[0, :, 0].tolist()


def test_two_rounds() -> None:
    simulation = server()
    assert simulation.period == ROUND
    # Round 1, client 0: err = 4, c0 = b = 2; then err = 2 - 2 - 0 = 0. Client 1: err = 4, c1 = b = 2.
    simulation.advance(PERIOD)
    assert simulation.fleet.private.tolist() == [[2], [2]]
    assert biases(simulation) == [0, 0, 0]  # nothing is back yet
    # Both touched item 1: its change is the mean of 0 and 2. Nobody touched item 2.
    simulation.advance(ROUND)
    assert biases(simulation) == [2, 1, 0]
    assert simulation.fleet.slots.ages[0].tolist() == [1, 1, 0]
    # Round 2, client 0: err = 4 - 2 - 2 = 0; err = 2 - 2 - 1 = -1: change -1/2, b = 3/2.
    #          client 1: err = 4 - 2 - 1 = 1: change 1/2, b = 5/2. The changes of item 1 cancel.
    simulation.advance(2 * ROUND)
    assert biases(simulation) == [2, 1, 0]
    assert simulation.fleet.private.tolist() == [[1.5], [2.5]]
    assert simulation.fleet.slots.ages[0].tolist() == [2, 2, 0]
    assert simulation.node_rounds == 4


def test_two_rounds_with_the_mean_over_all_clients() -> None:
    simulation = server(average="clients")
    # Round 1 as above: c0 changes by 2, c1 by 0 and 2. Both are divided by two clients; nobody touched item 2.
    simulation.advance(ROUND)
    assert biases(simulation) == [1, 1, 0]
    assert simulation.fleet.slots.ages[0].tolist() == [1, 1, 0]
    # Round 2, client 0: err = 4 - 2 - 1 = 1: c0 by 1/2, b = 5/2; err = 2 - 5/2 - 1 = -3/2: c1 by -3/4, b = 7/4.
    #          client 1: err = 4 - 2 - 1 = 1: c1 by 1/2, b = 5/2. So c0 moves by 1/4, c1 by -1/8.
    simulation.advance(2 * ROUND)
    assert biases(simulation) == [1.25, 0.875, 0]
    assert simulation.fleet.private.tolist() == [[1.75], [2.5]]


def test_clients_without_ratings_took_part_and_lost_answers_did_not() -> None:
    four = table((0, 0, 4), (0, 1, 2), (1, 1, 4), users=4, items=3)
    simulation = FederatedSimulation(setting(four), average="clients")
    simulation.advance(ROUND)
    assert biases(simulation) == [0.5, 0.5, 0]
    simulation = server(online([(0, 15)], None), average="clients")
    simulation.advance(ROUND)
    assert biases(simulation) == [0, 2, 0], "only client 1's answer arrived"


def test_several_local_epochs() -> None:
    # Client 0: pass 1 as above, (c0, c1, b) = (2, 0, 2); pass 2: err 0; err = 2 - 2 - 0 = 0.
    # Client 1: pass 1: c1 = b = 2; pass 2: err = 4 - 2 - 2 = 0.
    simulation = server(epochs=2)
    simulation.advance(ROUND)
    assert biases(simulation) == [2, 1, 0]
    assert simulation.fleet.slots.ages[0].tolist() == [1, 1, 0]


@pytest.mark.parametrize(
    ("spans", "private", "rows", "why"),
    [
        ([(0, 5)], 0, [0, 2, 0], "left during the download: it never learned"),
        ([(0, 10)], 0, [0, 2, 0], "left at the instant of arrival"),
        ([(0, 15)], 2, [0, 2, 0], "left during the upload: it learned, the server did not hear of it"),
        ([(0, 20)], 2, [0, 2, 0], "left at the instant the upload would have arrived"),
        ([(0, 20.000001)], 2, [2, 1, 0], "stayed to the end"),
        ([(5, 50)], 0, [0, 2, 0], "came too late for this round"),
        ([(0, 4), (6, 50)], 0, [0, 2, 0], "away in between is away"),
    ],
)
def test_a_client_that_leaves_is_left_out(spans: Spans, private: float, rows: list[float], why: str) -> None:
    simulation = server(online(spans, None))
    simulation.advance(ROUND)
    assert simulation.fleet.private[0, 0] == private, why
    assert biases(simulation) == rows, why


def test_a_round_without_clients_changes_nothing() -> None:
    simulation = server(online([(100, 200)], [(100, 200)]))
    simulation.advance(3 * ROUND)
    assert biases(simulation) == [0, 0, 0]
    assert (simulation.messages, simulation.node_rounds) == (0, 0)


def test_what_is_sent_is_counted_lost_or_not() -> None:
    simulation = server(online([(0, 15)], None))
    simulation.advance(ROUND - 1)
    size = encoded_size(3, 1, 0, sparse=False)
    assert (simulation.messages, simulation.bytes) == (4, 4 * size)  # two downloads, two uploads
    assert simulation.traffic.updates.tolist() == [1, 1]
    assert simulation.traffic.rows.tolist() == [3, 3]
    assert simulation.traffic.rows_rated.tolist() == [2, 1]


@pytest.mark.parametrize(("at", "messages"), [(0.0, 2), (9.9, 2), (10.0, 4), (19.9, 4), (20.0, 6), (30.0, 8)])
def test_a_message_counts_from_the_instant_it_is_sent(at: float, messages: int) -> None:
    simulation = server()
    simulation.advance(round(at * SECOND))
    assert simulation.messages == messages


def test_only_the_upload_is_compressed() -> None:
    # One row of three. Client 0 sends one of its two, client 1 its only one.
    simulation = server(share=0.34)
    assert simulation.period == PERIOD + round(PERIOD / 3)
    simulation.advance(simulation.period)
    c0, c1, c2 = biases(simulation)
    # Client 0 sent row 0 (change 2) or row 1 (change 0, which halves client 1's change of 2).
    assert (c0, c1, c2) in ((2, 2, 0), (0, 1, 0))
    assert simulation.traffic.rows.tolist() == [1, 1]
    assert simulation.traffic.bytes.tolist() == [encoded_size(1, 1, 0, sparse=True)] * 2


def test_which_row_a_client_sends_changes_from_round_to_round() -> None:
    seen = set()
    for seed in range(10):
        simulation = server(share=0.34, seed=seed)
        simulation.advance(simulation.period)
        seen.add(tuple(biases(simulation)))
    assert seen == {(2, 2, 0), (0, 1, 0)}
