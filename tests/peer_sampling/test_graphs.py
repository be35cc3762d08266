"""Fixed overlay graphs."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from tacit.core.errors import BadInput
from tacit.peer_sampling.graphs import complete, k_out, valid_graph
from tacit.testing import check_graph


@pytest.mark.parametrize("degree", [1, 5, 20])
def test_k_out_holds_what_every_graph_has_to_hold(degree: int) -> None:
    check_graph(lambda nodes, seed: k_out(nodes, degree, seed))


def test_complete_holds_it_too() -> None:
    check_graph(lambda nodes, seed: complete(nodes))
    assert complete(4).shape == (4, 0)


def test_every_node_knows_so_many_others_or_all_there_are() -> None:
    assert k_out(100, 20, 0).shape == (100, 20)
    assert k_out(5, 20, 0).tolist() == [[1, 2, 3, 4], [0, 2, 3, 4], [0, 1, 3, 4], [0, 1, 2, 4], [0, 1, 2, 3]]


def test_neighbours_are_equally_likely() -> None:
    # 400 graphs of 6 nodes, 2 neighbours each: node 0 knows each of the other five in 2/5 of them
    counts = np.zeros(6, int)
    for seed in range(400):
        counts[k_out(6, 2, seed)[0]] += 1
    assert counts[0] == 0
    assert stats.chisquare(counts[1:]).pvalue > 0.001


def test_another_seed_gives_another_graph() -> None:
    assert k_out(50, 5, 0).tolist() != k_out(50, 5, 1).tolist()


@pytest.mark.parametrize(("nodes", "degree"), [(1, 5), (0, 5), (5, 0), (5, -1)])
def test_a_graph_without_edges_is_refused(nodes: int, degree: int) -> None:
    with pytest.raises(BadInput, match="2 nodes or more"):
        k_out(nodes, degree, 0)


@pytest.mark.parametrize("nodes", [0, 1])
def test_nobody_to_talk_to_is_refused(nodes: int) -> None:
    with pytest.raises(BadInput, match="2 nodes or more"):
        complete(nodes)


@pytest.mark.parametrize(
    ("graph", "says"),
    [
        (np.array([[1], [2], [3]], np.int32), "neighbours 1 to 3; allowed: 0 to 2"),
        (np.array([[1], [-1], [0]], np.int32), "neighbours -1 to 1; allowed: 0 to 2"),
        (np.array([[1], [0]], np.int32), r"shape \(2, 1\); allowed: one row of whole numbers for each of 3"),
        (np.array([[1.0], [0.0], [1.0]]), "float64 of shape"),
    ],
)
def test_a_graph_that_leads_outside_is_refused(graph: np.ndarray, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        valid_graph(graph, 3)


def test_a_good_graph_stays_as_it_is() -> None:
    for graph in (k_out(5, 2, seed=1), complete(5)):
        assert valid_graph(graph, 5) is graph
