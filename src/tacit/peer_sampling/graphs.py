"""Overlay graphs: which nodes know each other, as one row of neighbours per node."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tacit.core.compiled.compiling import kernel
from tacit.core.errors import BadInput
from tacit.core.rng import Stream, sample

_STREAM = Stream.GRAPH
Neighbours = npt.NDArray[np.int32]


def k_out(nodes: int, degree: int, seed: int) -> Neighbours:
    """Every node knows `degree` others, chosen at random once; all of them where there are no more."""
    degree = min(degree, nodes - 1)
    if degree < 1:
        raise BadInput(
            "graph", got=f"{nodes} node(s) of degree {degree}", allowed="2 nodes or more, degree 1 or more"
        )
    table = np.empty((nodes, degree), np.int32)
    _fill(seed, table)
    return table


def complete(nodes: int) -> Neighbours:
    """Everybody knows everybody: an empty row, which samplers read as "all but me"."""
    if nodes < 2:
        raise BadInput("graph", got=f"{nodes} node(s)", allowed="2 nodes or more")
    return np.empty((nodes, 0), np.int32)


def valid_graph(graph: Neighbours, nodes: int) -> Neighbours:
    """The same graph, if compiled code can trust it: one row per node, of numbers of nodes."""
    graph = np.asarray(graph)
    if graph.ndim != 2 or len(graph) != nodes or graph.dtype.kind not in "iu":
        got = f"{graph.dtype} of shape {graph.shape}"
        raise BadInput("graph", got=got, allowed=f"one row of whole numbers for each of {nodes} nodes")
    if graph.size and not 0 <= graph.min() <= graph.max() < nodes:
        got = f"neighbours {graph.min()} to {graph.max()}"
        raise BadInput("graph", got=got, allowed=f"0 to {nodes - 1}, the numbers of the nodes")
    return graph


@kernel
def _fill(seed: int, table: Neighbours) -> None:
    nodes, degree = table.shape
    taken = np.zeros(nodes - 1, np.bool_)
    for node in range(nodes):
        taken[:] = False
        sample(seed, _STREAM, node, 0, nodes - 1, degree, taken)
        at = 0
        for other in range(nodes - 1):
            if taken[other]:
                table[node, at] = other + (1 if other >= node else 0)
                at += 1
