"""BPR-MF beside the library `implicit`: NDCG@10, one list per user, on the same split.

python benchmarks/implicit_bpr.py DATA...        (pip install implicit)

The library gets the papers' settings, its own defaults, and two longer ones. Ours are `baseline/bpr-mf` (the papers'),
the same with negatives drawn by popularity as the library does, and `baseline/bpr-mf-tuned`.
"""

from __future__ import annotations

import sys

import numpy as np
from implicit.bpr import BayesianPersonalizedRanking
from scipy.sparse import csr_matrix

import tacit
from tacit.baselines.ials import FactorScorer
from tacit.core.compiled.threads import Workers
from tacit.experiment.prepare import prepare
from tacit.metrics.ndcg import ndcg
from tacit.metrics.top_k import hits_of, top_lists

GROUND = {"split": "random-share", "split.share": 0.2, "data.min_user": 10, "data.min_item": 5}
LIBRARY = ((0.05, 0.0025, 20), (0.01, 0.01, 100), (0.01, 0.01, 200), (0.05, 0.06, 200))
"""Learning rate, regularization, iterations."""
OURS = {
    "baseline/bpr-mf": {},
    "baseline/bpr-mf, popular negatives": {"negatives.popular": 1.0},
    "baseline/bpr-mf-tuned": {},
}


def library(data: str, rate: float, regularization: float, iterations: int) -> float:
    """The library's model, measured as ours are."""
    x = prepare("baseline/bpr-mf", data, GROUND)
    train, held = x.split.train, x.held_out
    table = csr_matrix((np.ones(len(train), np.float32), train.item, train.start), (train.users, train.items))
    fitted = BayesianPersonalizedRanking(
        factors=20,
        learning_rate=rate,
        regularization=regularization,
        iterations=iterations,
        random_state=1,
        num_threads=1,
    )
    fitted.fit(table, show_progress=False)
    people, items = (np.asarray(one, float) for one in (fitted.user_factors, fitted.item_factors))
    scorer = FactorScorer(people, items, Workers())
    lists = top_lists(scorer, train, held.counts > 0, 10, seed=0, workers=Workers()).lists
    return float(np.nanmean(ndcg(hits_of(lists, held.start, held.item), held.counts)))


def main(names: list[str]) -> None:
    """One line per model and data set."""
    for data in names:
        for settings in LIBRARY:
            words = "implicit, rate {}, regularization {}, {} iterations".format(*settings)
            print(f"{data}: {words}: {library(data, *settings):.4f}")
        for name, more in OURS.items():
            settings = {**GROUND, "evaluate.points": 1, **more}
            found = tacit.run(name.partition(",")[0], data, settings=settings, progress=False)
            print(f"{data}: {name}: {found.metrics['ndcg@10']:.4f}")


if __name__ == "__main__":
    main(sys.argv[1:])
