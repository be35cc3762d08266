"""What keeping ratings back costs on a live node: gossip of bpr, the same items hidden each time.

    python benchmarks/kept_back.py movielens-100k 1 0.5 0.1 0

A live node learns the shared model from what takes part (`pi.rule=fixed-items`), and solves its person's own vector
from all ratings when it recommends (`node/fold_in.py`). P@10 of both: the vector learned on the way, the solved one.
"""

from __future__ import annotations

import sys

import numpy as np

from tacit.core.node_state import NodeState
from tacit.experiment.prepare import prepare
from tacit.experiment.run import Run
from tacit.models.score_all import score_all
from tacit.node.fold_in import solve

SETTINGS = {
    "model": "bpr",
    "split": "temporal",
    "evaluate": "full",
    "evaluate.points": 1,
    "rounds": 200,
    "pi.rule": "fixed-items",
}
TOP = 10


def measure(data: str, pi: float) -> tuple[float, float]:
    """P@10 by the learned vectors, and by vectors solved from everything that people have."""
    x = prepare("hegedus/gossip-merge", data, {**SETTINGS, "pi": pi})
    finished = Run(x).go()
    right = []
    for user in np.flatnonzero(x.split.test.counts > 0).tolist():
        state: NodeState = finished.simulation.fleet.node(user)
        had, values = x.split.train.of(user)
        other = np.setdiff1d(np.arange(x.split.train.items), had)
        own = solve(x.model, state, had, values, other, x.seed)
        score = score_all(x.model, state.rows, state.dense, own)
        score[had] = -np.inf
        best = np.argsort(-score, kind="stable")[:TOP]
        right.append(np.isin(best, x.split.test.of(user)[0]).mean())
    learned = finished.result.metrics[f"precision@{TOP}"]
    assert learned is not None
    return learned, float(np.mean(right))


def main() -> None:
    """Print a line for each pi."""
    data, *shares = sys.argv[1:]
    for pi in shares or ["1"]:
        learned, solved = measure(data, float(pi))
        sys.stdout.write(f"pi {pi}: P@{TOP} learned {learned:.4f}, solved {solved:.4f}\n")


if __name__ == "__main__":
    main()
