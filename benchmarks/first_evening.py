"""The first evening: how good the list of a person is who is new, alone and offline, by how many ratings they gave.

    python benchmarks/first_evening.py                             MovieLens-100K, three splits
    python benchmarks/first_evening.py --data movielens-1m

70 % of the people are public: rows and numbers are learned from them, as `tacit node init --start` does. The others
are new: 30 % of each one's ratings are hidden, the rest come in random order. HR@20 is the expected share
of hidden positives among the first 20 when ranked with 100 random titles that the person never rated; every person
counts once.

`every rating` takes each rating as a positive, in learning and in measuring; `liked` takes 4 stars and more.
Popularity sorts by how many public people liked a title. The error is the standard error over people and splits.
Ends with 1 where a target is missed.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from scipy.special import bdtr

from tacit.core.compiled.threads import Workers
from tacit.core.interactions import Interactions
from tacit.core.rng import Stream, permutation
from tacit.data.dataset import load
from tacit.node.start import rule
from tacit.node.start.catalogue import catalogue_of, merged
from tacit.node.start.learn import learn, weights_of
from tacit.node.start.rule import Doubles, PublicRows

OWN = (0, 1, 3, 5, 10, 30, None)
PUBLIC, HIDDEN, MOST = 0.7, 0.3, 900
TARGETS = {
    ("movielens-100k", "every rating"): {10: 0.88, 30: 0.90, None: 0.91},
    ("movielens-1m", "every rating"): {10: 0.85, None: 0.90},
}
ONE_RATING = 0.02
"""By how much one rating beats popularity, for liked titles."""
Positions = npt.NDArray[np.integer]


def keyed(name: str, positives: str) -> Interactions:
    """A data set by the node's keys, its values the weights of ratings."""
    data = load(name)
    items = data.items
    catalogue = catalogue_of(items["item"].to_list(), items["title"].to_list(), items["year"].to_list())
    table = merged(data.table, catalogue)
    weights = weights_of(table.value) if positives == "liked" else np.ones(len(table), np.float32)
    return Interactions(table.start, table.item, weights, None, table.order, table.items)


def hit_rate(scores: Doubles, hidden: Positions, others: Positions) -> float:
    """The expected share of hidden titles among the first 20 of 101; equal scores count half."""
    ranked = np.sort(scores[others])
    above = len(ranked) - np.searchsorted(ranked, scores[hidden], side="right")
    equal = len(ranked) - np.searchsorted(ranked, scores[hidden], side="left") - above
    return float(bdtr(19, 100, (above + equal / 2) / len(ranked)).mean())


def person(
    public: PublicRows, items: Positions, weights: Doubles, rank: Callable[[PublicRows, Positions, Doubles], Doubles],
    order: Positions,
) -> dict[int | None, float]:  # fmt: skip
    """HR@20 of one new person by number of own ratings; nothing where no positive is hidden."""
    cut = max(1, round(HIDDEN * len(items)))
    hidden = items[order[:cut]][weights[order[:cut]] >= 1]
    others = np.setdiff1d(np.arange(len(public)), items)
    if not len(hidden):
        return {}
    found: dict[int | None, float] = {}
    for own in OWN:
        kept = order[cut:][:own]
        kept = kept[weights[kept] > 0]
        found[own] = hit_rate(rank(public, items[kept], weights[kept]), hidden, others)
    return found


def by_rule(public: PublicRows, items: Positions, weights: Doubles) -> Doubles:
    """Scores as the node's list has them."""
    if not len(items):
        return rule.popularity(public)
    solved = rule.solve(public, items, weights)
    return rule.rates(public, public.rows @ solved.vector, solved.n)


def measure(
    name: str, positives: str, splits: int, workers: Workers
) -> dict[int | None, tuple[float, float]]:
    """Mean and standard error of HR@20 by number of own ratings, over all new people of all splits."""
    table = keyed(name, positives)
    values: dict[int | None, list[float]] = {own: [] for own in OWN}
    for split in range(splits):
        order = permutation(split, Stream.SPLIT, 0, 0, table.users)
        cut = int(PUBLIC * table.users)
        is_public = np.zeros(table.users, np.bool_)
        is_public[order[:cut]] = True
        began = time.perf_counter()
        public = learn(table.take(is_public[table.user]), seed=split, workers=workers)
        seconds, numbers = time.perf_counter() - began, " ".join(f"{c:.2f}" for c in public.calibration)
        print(
            f"  split {split}: learned in {seconds:.0f} s, tau {public.tau}, h {public.h:g}, c {numbers}",
            flush=True,
        )
        for user in order[cut:][:MOST].tolist():
            items, weights = table.of(user)
            shuffled = permutation(split, Stream.SPLIT, user, 1, len(items))
            for own, value in person(public, items, weights.astype(float), by_rule, shuffled).items():
                values[own].append(value)
    return {own: (float(np.mean(v)), float(np.std(v) / np.sqrt(len(v)))) for own, v in values.items()}


def main() -> int:
    """Print a table for each kind of positives; 1 where a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", default="movielens-100k")
    parser.add_argument("--splits", type=int, default=3)
    parser.add_argument("--threads", type=int, default=0, help="0: all cores")
    chosen = parser.parse_args()
    workers = Workers(chosen.threads or None)
    missed = []
    for positives in ("every rating", "liked"):
        began = time.perf_counter()
        print(f"{chosen.data}, positives: {positives}", flush=True)
        found = measure(chosen.data, positives, chosen.splits, workers)
        targets = TARGETS.get((chosen.data, positives), {})
        if positives == "liked" and chosen.data.startswith("movielens"):
            targets = {1: found[0][0] + ONE_RATING}
        for own, (mean, error) in found.items():
            ratings = "all" if own is None else f"{own}"
            goal = f"   target {targets[own]:.3f}" if own in targets else ""
            print(f"  {ratings:>4} ratings   HR@20 {mean:.3f} +-{error:.3f}{goal}")
            if own in targets and mean < targets[own]:
                missed.append(f"{positives}, {ratings} ratings")
        print(f"  {time.perf_counter() - began:.0f} s", flush=True)
    for line in missed:
        print(f"missed: {line}")
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
