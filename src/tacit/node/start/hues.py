"""A colour for every title, from its row: titles that the same people like get neighbouring hues.

The best-known titles form a graph: each is linked to its ten nearest by cosine. The second and third eigenvector of the
graph's normalized Laplacian place each title around a circle. Any other title gets the mean place of its ten nearest.
The angle is cut into equally used steps.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tacit.node.start.rule import Doubles

STEPS = 24
GREY = 255
"""For a title without a row."""
_ANCHORS, _NEAR = 1_500, 10


def hues_of(rows: Doubles, counts: npt.NDArray[np.int64]) -> npt.NDArray[np.uint8]:
    """0 to 23 for each title, or GREY. There is nothing random in it: the best-known title fixes the signs."""
    size = np.linalg.norm(rows, axis=1)
    order = np.lexsort((np.arange(len(counts)), -counts))
    anchors = order[size[order] > 0][:_ANCHORS]
    near = min(_NEAR, len(anchors) - 1)
    if near < 2:
        return np.where(size > 0, 0, GREY).astype(np.uint8)
    unit = rows / np.where(size > 0, size, 1)[:, None]
    place = _places(unit[anchors], near)
    to = np.maximum(unit @ unit[anchors].T, 0) ** 4
    to = np.where(to >= np.sort(to, axis=1)[:, -near][:, None], to, 0)
    spot = to @ place / np.maximum(to.sum(1), 1e-9)[:, None]
    spot[anchors] = place
    angle = np.arctan2(spot[:, 1], spot[:, 0])
    edges = np.quantile(angle[anchors], np.linspace(0, 1, STEPS + 1)[1:-1])
    return np.where(size > 0, np.searchsorted(edges, angle), GREY).astype(np.uint8)


def _places(unit: Doubles, near: int) -> Doubles:
    """A place around a circle for each of these rows."""
    like = unit @ unit.T
    np.fill_diagonal(like, -2)
    nearest = np.argsort(-like, axis=1, kind="stable")[:, :near]
    graph = np.zeros_like(like)
    np.put_along_axis(graph, nearest, np.maximum(np.take_along_axis(like, nearest, 1), 1e-3), 1)
    graph = np.maximum(graph, graph.T)
    degree = graph.sum(1)
    vectors = np.linalg.eigh(graph / np.sqrt(degree[:, None] * degree))[1][:, ::-1]
    place = (vectors / np.sqrt(degree)[:, None])[:, 1:3]
    place = place * np.where(place[0] < 0, -1, 1)
    return np.asarray(place / np.maximum(place.std(0), 1e-12), np.float64)
