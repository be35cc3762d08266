"""What one unit of each learning loop costs: process time of one thread, so other programs do not count.

python benchmarks/loop_speed.py [RECIPE ...]
"""

from __future__ import annotations

import sys
import time

from tacit.experiment.prepare import prepare
from tacit.experiment.run import Run

RECIPES = (
    "hegedus/gossip-merge",
    "hegedus/gossip-10",
    "hegedus/federated",
    "pepper/pepper",
    "pepper/fedavg",
    "fpl/sfpl",
    "baseline/bpr-mf",
)
_SECONDS = 2.0


def main(*recipes: str) -> None:
    """Rounds of MovieLens-100K, after a few to warm up: the fastest stretch."""
    for recipe in recipes or RECIPES:
        simulation = Run(prepare(recipe, "movielens-100k"), threads=1).simulation
        simulation.advance(3 * simulation.period)
        costs: list[float] = []
        until = time.process_time() + _SECONDS
        while time.process_time() < until:
            done, began = simulation.node_rounds, time.process_time()
            while simulation.node_rounds - done < 1000 and time.process_time() - began < 1:
                simulation.advance(simulation.now + simulation.period)
            costs.append((time.process_time() - began) * 1e6 / max(1, simulation.node_rounds - done))
        print(f"{recipe}: {min(costs):.2f} microseconds per node-round", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
