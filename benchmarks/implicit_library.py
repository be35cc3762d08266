"""`tacit/federated` beside the library `implicit`: short lists out of the whole catalogue, both tuned in the same way.

python benchmarks/implicit_library.py DATA [K [STARTS]]        (pip install implicit)

Each tries sixteen pairs of its two parameters on the validation part (precision@10, mean over users and over as many
random starts, three if not said); the best is measured on the test part, from the same starts. Ours is measured with
rows from (B, n) and with `secant`, and by its rule as well, which tries nothing. Sums that gossip mixes completely are
those of `tacit/federated`, so this is what `tacit/best` comes to after as many sweeps.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
from implicit.als import AlternatingLeastSquares
from scipy.sparse import csr_matrix

import tacit
from tacit.baselines.ials import FactorScorer
from tacit.core.compiled.threads import Workers
from tacit.core.math.als_solver import by_rule
from tacit.experiment.prepare import prepare
from tacit.metrics.precision import ranking as precision
from tacit.metrics.recall import ranking as recall
from tacit.metrics.top_k import hits_of, top_lists

SPLIT = {"split": "temporal", "split.share": 0.2, "evaluate": "full", "data.min_user": 20}
REGULARIZATION, ALPHA = (1.0, 10.0, 30.0, 100.0), (1.0, 5.0, 10.0, 30.0)
TIMES_W0, TIMES_REG = (0.5, 1.0, 2.0, 4.0), (0.15, 0.3, 0.7, 1.5)
Figures = tuple[np.ndarray, np.ndarray]
"""Precision and recall of every user with something held out, each the mean over starts."""


def library(data: str, k: int, seeds: Sequence[int], on: str, regularization: float, alpha: float) -> Figures:
    """Implicit ALS as the library has it."""
    x = prepare("tacit/federated", data, {**SPLIT, "evaluate.on": on})
    train, held = x.split.train, x.held_out
    table = csr_matrix((np.ones(len(train), np.float32), train.item, train.start), (train.users, train.items))
    measured, found = held.counts > 0, []
    for seed in seeds:
        fitted = AlternatingLeastSquares(
            factors=k, regularization=regularization, alpha=alpha, iterations=15, random_state=seed
        )
        fitted.fit(table, show_progress=False)
        people, items = (np.asarray(one, float) for one in (fitted.user_factors, fitted.item_factors))
        scorer = FactorScorer(people, items, Workers())
        lists = top_lists(scorer, train, measured, 10, seed=seed, workers=Workers()).lists
        hits = hits_of(lists, held.start, held.item)
        found.append((precision(hits, held.counts)[measured], recall(hits, held.counts)[measured]))
    return _mean(found)


def ours(data: str, k: int, seeds: Sequence[int], on: str, secant: bool, **model: float) -> Figures:
    """The same by a server that adds up statistics."""
    settings: dict[str, Any] = {**SPLIT, "evaluate.on": on, "evaluate.points": 1, "model.k": k}
    # Rows go half of the way with the secant: twice the sweeps.
    settings |= {"model.secant": secant, "rounds": 30 if secant else 15}
    settings |= {f"model.{name}": value for name, value in model.items()}
    found = []
    for seed in seeds:
        each = tacit.run("tacit/federated", data, seed=seed, settings=settings, progress=False)
        users = each.per_user.drop_nulls()
        found.append((users["precision@10"].to_numpy(), users["recall@10"].to_numpy()))
    return _mean(found)


def _mean(found: list[Figures]) -> Figures:
    return np.mean([p for p, _ in found], axis=0), np.mean([r for _, r in found], axis=0)


def main(data: str, k: int = 16, starts: int = 3) -> None:
    """Print what was tried, then the figures on the test part."""
    seeds = range(starts)
    tried: dict[tuple[float, float], float] = {}
    for pair in product(REGULARIZATION, ALPHA):
        tried[pair] = library(data, k, seeds, "validation", *pair)[0].mean()
        print(f"implicit, regularization {pair[0]:g}, alpha {pair[1]:g}: {tried[pair]:.4f}", flush=True)
    best = max(tried, key=lambda pair: tried[pair])
    theirs = library(data, k, seeds, "test", *best)
    print(f"TEST implicit, k {k}, {best}: {_told(theirs)}", flush=True)
    for secant in (False, True):
        title = f"tacit/federated, k {k}, secant {secant}"
        a, b = _searched(data, k, seeds, secant)
        w0, reg = _rule(data, "test")
        chosen = {"w0": min(1.0, a * w0), "reg": b * reg}
        for how, values in (("by rule", {}), (f"w0 {a:g}, reg {b:g} times the rule's", chosen)):
            found = ours(data, k, seeds, "test", secant, **values)
            apart = found[0] - theirs[0]
            error = apart.std() / np.sqrt(len(apart))
            print(
                f"TEST {title}, {how}: {_told(found)}; P@10 {found[0].mean() / theirs[0].mean() - 1:+.1%}, ",
                end="",
            )
            print(f"user by user {apart.mean():+.4f} +- {error:.4f}", flush=True)


def _searched(data: str, k: int, seeds: Sequence[int], secant: bool) -> tuple[float, float]:
    tried: dict[tuple[float, float], float] = {}
    w0, reg = _rule(data, "validation")
    for a, b in product(TIMES_W0, TIMES_REG):
        found = ours(data, k, seeds, "validation", secant, w0=min(1.0, a * w0), reg=b * reg)
        tried[a, b] = found[0].mean()
        print(f"secant {secant}, w0 {a:g}, reg {b:g} times the rule's: {tried[a, b]:.4f}", flush=True)
    return max(tried, key=lambda pair: tried[pair])


def _rule(data: str, on: str) -> tuple[float, float]:
    train = prepare("tacit/federated", data, {**SPLIT, "evaluate.on": on}).split.train
    return by_rule(len(train) / train.users, train.items)


def _told(found: Figures) -> str:
    return f"P@10 {found[0].mean():.4f}, R@10 {found[1].mean():.4f}"


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
