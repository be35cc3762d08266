"""How far sums are mixed in an epoch of so many turns: what is left of masks, along a ring and with random peers.

python benchmarks/mixing.py

Ten items, one factor, masks of strength 20; the median over nodes of what is left of noise in the check coordinates,
per weight, with numbers of as many bits as travel in an epoch of that length. An epoch of `tacit/best` ends when about
0.00025 is left on MovieLens-100K.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tacit.core.compiled.threads import Workers
from tacit.core.interactions import Interactions
from tacit.models.ials import ImplicitLeastSquares
from tacit.peer_sampling.graphs import complete
from tacit.protocols.push_sum.masks import left_of_masks
from tacit.protocols.push_sum.simulation import Conduct, PushSumSimulation
from tacit.simulator.churn.sessions import always
from tacit.simulator.simulation import Scenario

ITEMS, TURNS = 10, (18, 24, 30, 36, 42)
CASES: dict[str, tuple[int, dict[str, Any]]] = {
    "943 nodes": (943, {}),
    "943, all at once": (943, {"staggered": False}),
    "6,040 nodes": (6040, {}),
    "943, every tenth message lost": (943, {"loss": 0.1}),
    "943, the slowest half as fast": (943, {"speeds": 1.0}),
}


def left(nodes: int, turns: int, conduct: Conduct) -> float:
    """What is left of masks in the end."""
    user, item = np.nonzero(np.random.default_rng(0).random((nodes, ITEMS)) < 0.5)
    train = Interactions.from_pairs(user, item, users=nodes, items=ITEMS)
    model = ImplicitLeastSquares(k=1)
    setting = Scenario(model, train, 0, always(), full_seconds=100.0, workers=Workers())
    simulation = PushSumSimulation(setting, complete(nodes), conduct)
    simulation.advance(turns * simulation.period)
    return float(np.median([left_of_masks(sums) for sums in simulation.book.sums]))


def main() -> None:
    """A line a case."""
    print("turns", *TURNS)
    for name, (nodes, manners) in CASES.items():
        for ring in (False, True):
            peers = "ring" if ring else "random"
            found = [
                left(nodes, turns, Conduct(turns=turns + 1, masks=20.0, ring=ring, **manners))
                for turns in TURNS
            ]
            print(f"{name}, {peers}:", *(f"{value:.2g}" for value in found), flush=True)


if __name__ == "__main__":
    main()
