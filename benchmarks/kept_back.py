"""What keeping ratings back costs on a live node: gossip of bpr, the same items hidden each time.

    python benchmarks/kept_back.py movielens-100k all 1 0.5 0.1 0      everybody discloses that share
    python benchmarks/kept_back.py movielens-100k tenth 1 0.5 0.1 0    every tenth user does, and the figures are theirs

A live node learns the shared model from what takes part (`pi.rule=fixed-items`), and solves its person's own vector
from all ratings when it recommends (`node/fold_in.py`). P@10 of both: the vector learned on the way, the solved one.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import numpy as np
import polars as pl

from tacit.core.node_state import NodeState
from tacit.experiment.prepare import prepare
from tacit.experiment.run import Run
from tacit.models.score_all import score_all
from tacit.node.fold_in import solve

RECIPE = "hegedus/gossip-merge"
SETTINGS = {
    "model": "bpr",
    "split": "temporal",
    "evaluate": "full",
    "evaluate.points": 1,
    "rounds": 200,
    "pi.rule": "fixed-items",
}
TOP = 10


def measure(data: str, pi: float, every: int = 1) -> tuple[float, float]:
    """P@10 by the learned vectors, and by vectors solved from everything that people have, of every so many users."""
    users = prepare(RECIPE, data, SETTINGS).dataset.user_ids.tolist()
    share = [pi if n % every == 0 else 1.0 for n in range(len(users))]
    with tempfile.TemporaryDirectory() as folder:
        pl.DataFrame({"user": users, "pi": share}).write_csv(Path(folder) / "pi.csv")
        x = prepare(RECIPE, data, {**SETTINGS, "pi": str(Path(folder) / "pi.csv")})
    finished = Run(x).go()
    learned = finished.result.per_user[f"precision@{TOP}"].to_numpy()
    asked = [u for u in np.flatnonzero(x.split.test.counts > 0).tolist() if u % every == 0]
    right = []
    for user in asked:
        state: NodeState = finished.simulation.fleet.node(user)
        had, values = x.split.train.of(user)
        other = np.setdiff1d(np.arange(x.split.train.items), had)
        own = solve(x.model, state, had, values, other, x.seed)
        score = score_all(x.model, state.rows, state.dense, own)
        score[had] = -np.inf
        best = np.argsort(-score, kind="stable")[:TOP]
        right.append(np.isin(best, x.split.test.of(user)[0]).mean())
    return float(learned[asked].mean()), float(np.mean(right))


def main() -> None:
    """Print a line for each pi."""
    data, who, *shares = sys.argv[1:]
    for pi in shares:
        learned, solved = measure(data, float(pi), {"all": 1, "tenth": 10}[who])
        sys.stdout.write(f"{who}, pi {pi}: P@{TOP} learned {learned:.4f}, solved {solved:.4f}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
