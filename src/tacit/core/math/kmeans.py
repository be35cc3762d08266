"""k-means clustering (Lloyd's algorithm), with the same bits on every machine."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tacit.core.rng import below

Points = npt.NDArray[np.floating]
Labels = npt.NDArray[np.int64]


def kmeans(
    points: Points, clusters: int, *, seed: int, stream: int, event: int = 0, rounds: int = 20
) -> Labels:
    """The cluster of every point. The first start is a random point. Each further start is the point farthest from all
    starts so far. An empty cluster stays where it was.

    >>> kmeans(np.array([[0.0], [0.1], [5.0]]), 2, seed=0, stream=27).tolist() in ([0, 0, 1], [1, 1, 0])
    True
    """
    table = np.asarray(points, np.float64)
    count = min(clusters, len(table))
    centres = table[[below(seed, stream, 0, event, 0, len(table))]]
    nearest = np.full(len(table), np.inf)
    while len(centres) < count:
        nearest = np.minimum(nearest, ((table - centres[-1]) ** 2).sum(axis=1))
        centres = np.concatenate([centres, table[[nearest.argmax()]]])
    label: Labels = np.full(len(table), -1, np.int64)
    for _ in range(rounds):
        # Sums over one axis at a time: no matrix library, whose bits depend on threads.
        distance = np.stack([((table - centre) ** 2).sum(axis=1) for centre in centres], axis=1)
        new = distance.argmin(axis=1)
        if np.array_equal(new, label):
            break
        label = new
        for c in range(count):
            if (label == c).any():
                centres[c] = table[label == c].mean(axis=0)
    return label
