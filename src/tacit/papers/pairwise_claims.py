"""Claims that FPL and FedeRank share: what happens along pi, and whether popularity depends on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise, product

import numpy as np

from tacit.experiment.result import Result
from tacit.experiment.significance import LEVEL, p_values, user_means
from tacit.papers.base import NOT_CHECKED, Finding, NotRunError, Outcomes, Wanted, mean_of, shares_of, verdict
from tacit.papers.pairwise_runs import EVERY_PI, TITLES, federated_run

P, F1, COVERAGE, EVENNESS = "precision@10", "f1@10", "item_coverage@10", "evenness@10"
NEARLY = 0.9
"""Part of the best F1 that counts as nearly all of it."""
MAGNITUDE = 10
"""How many times better pi 0.1 is than pi 0: an order of magnitude."""
MARGINS = {
    "amazon-digital-music": 0.12,
    "librarything": 0.03,
    "movielens-1m": 0.02,
    "foursquare-brazil": 0.02,
    "foursquare-canada": 0.07,
    "foursquare-italy": 0.1,
}
"""By how much, as a part of it, the best of ten values of pi must exceed that at 1.

About two standard errors, one over the root of the hits in all lists: some 240 on Amazon, 390 on Italy, 7,000 on
MovieLens-1M.
"""
SLACK = 0.02
"""The part of a diversity that may be lost from one pi to the next, and it still counts as growing."""
LIKE_RANDOM = ("amazon-digital-music", "librarything")
"""The data sets on which the paper finds pi 0 alike to random."""
APART = 0.1
"""Total variation between two popularity profiles that still counts as the same."""
_SMALL_LOSSES = f"steps that lose at most {100 * SLACK:.0f} %"
DIVERSITY = {"coverage": COVERAGE, "evenness": EVENNESS}
Numbers = dict[str, float | None]


def precision(o: Outcomes, wanted: Wanted) -> float | None:
    """P@10 over the seeds; None where it was left out."""
    return mean_of(o.get(wanted), P)


def better(a: Sequence[Result], b: Sequence[Result], metric: str = P) -> tuple[bool, float]:
    """Whether a beats b user by user (paired t test), and p; `NotRunError` where no user was measured in both."""
    both = user_means(a, metric).join(user_means(b, metric), on="user", suffix="_b").drop_nulls()
    difference = (both["value"] - both["value_b"]).to_numpy()
    if not len(difference):
        raise NotRunError(metric)
    p = p_values(difference)[0]
    return bool(difference.mean() > 0 and p < LEVEL), p


def along_pi(
    o: Outcomes, data: Sequence[str], algorithms: Mapping[str, str], metric: str
) -> dict[str, dict[float, float]]:
    """A metric by pi, for each data set and algorithm that was run with 0, 0.1 and 1 at least."""
    found = {}
    for place, (name, recipe) in product(data, algorithms.items()):
        values = {
            pi: value
            for pi in EVERY_PI
            if (value := mean_of(o.get(federated_run(o.quick, recipe, place, pi)), metric)) is not None
        }
        if {0.0, 0.1, 1.0} <= set(values):
            found[f"{TITLES[place]}, {name}"] = values
    return found


def best_is_not_one(o: Outcomes, data: Sequence[str], algorithms: Mapping[str, str]) -> Finding:
    """F4a: the best pi below 1 against 1, by more than noise."""
    numbers: Numbers = {}
    holding, told = [], []
    for place in data:
        for case, values in along_pi(o, (place,), algorithms, F1).items():
            best = max((pi for pi in values if pi < 1), key=values.__getitem__)
            numbers |= {f"{case}: best pi below 1": best, f"{case}: F1@10 there": values[best]}
            numbers[f"{case}: F1@10 at pi 1"] = values[1.0]
            holding.append(values[best] > (1 + MARGINS[place]) * values[1.0])
            if values[1.0]:
                told.append(f"{case} {values[best] / values[1.0]:.3f}")
    sentence = (
        f"some pi below 1 is better than 1 by more than the margin in {sum(holding)} of {len(holding)} cases"
    )
    return Finding(verdict(holding), f"{sentence} (F1@10 over that at pi 1: {'; '.join(told)})", numbers)


def a_tenth_is_nearly_enough(o: Outcomes, data: Sequence[str], algorithms: Mapping[str, str]) -> Finding:
    """F4b: what pi 0.1 reaches of the best."""
    numbers: Numbers = {}
    for case, values in along_pi(o, data, algorithms, F1).items():
        numbers[f"{case}: part of the best at pi 0.1"] = values[0.1] / max(values.values())
    reached = [part for part in numbers.values() if part is not None]
    if not reached:
        return Finding(NOT_CHECKED, "no data set with pi 0, 0.1 and 1")
    holding = [part >= NEARLY for part in reached]
    sentence = f"pi 0.1 reaches {100 * min(reached):.0f} to {100 * max(reached):.0f} % of the best; "
    sentence += f"{100 * NEARLY:.0f} % or more in {sum(holding)} of {len(holding)} cases"
    return Finding(verdict(holding), sentence, numbers)


def nothing_disclosed_is_poor(o: Outcomes, data: Sequence[str], algorithms: Mapping[str, str]) -> Finding:
    """F4c: what pi 0 is like beside 0.1; MovieLens-1M, about which the paper does not say so, is not counted."""
    numbers: Numbers = {}
    holding, beside = [], []
    for place in data:
        wide = along_pi(o, (place,), algorithms, COVERAGE)
        for case, values in along_pi(o, (place,), algorithms, F1).items():
            at_0, at_1 = (wide[case][pi] for pi in (0.0, 0.1))
            numbers |= {f"{case}: F1@10 at pi 0": values[0.0], f"{case}: F1@10 at pi 0.1": values[0.1]}
            numbers |= {f"{case}: coverage at pi 0": at_0, f"{case}: coverage at pi 0.1": at_1}
            poor = MAGNITUDE * values[0.0] <= values[0.1] and at_0 > at_1
            if place in LIKE_RANDOM:
                holding.append(poor)
            else:
                beside.append(f"{case} has F1@10 {values[0.0]:.4f} at pi 0 and {values[0.1]:.4f} at 0.1")
    sentence = f"pi 0 is {MAGNITUDE} times worse than 0.1 and covers more items in {sum(holding)} of "
    sentence += f"{len(holding)} cases"
    return Finding(verdict(holding), "; ".join([sentence, *beside]), numbers)


def diversity_grows(
    o: Outcomes, data: Sequence[str], algorithms: Mapping[str, str], metrics: Mapping[str, str] = DIVERSITY
) -> Finding:
    """F12 and F19: coverage, evenness or both, from each pi to the next above it, 0.1 to 1."""
    numbers: Numbers = {}
    holding, told = [], []
    for name, metric in metrics.items():
        for case, values in along_pi(o, data, algorithms, metric).items():
            along = {pi: value for pi, value in values.items() if pi > 0}
            numbers |= {f"{case}: {name} at pi {pi:g}": value for pi, value in along.items()}
            steps = [b >= (1 - SLACK) * a for a, b in pairwise(along.values())]
            holding.append(all(steps) and values[1.0] > values[0.1])
            told.append(f"{case}, {name}: {sum(steps)} of {len(steps)}")
    sentence = f"it grows from pi 0.1 to 1 in {sum(holding)} of {len(holding)} cases"
    return Finding(verdict(holding), f"{sentence} ({_SMALL_LOSSES}: {'; '.join(told)})", numbers)


def updates_are_flat(o: Outcomes, data: Sequence[str], recipe: str) -> Finding:
    """F11: total variation between how often items are updated at pi 0 and all alike."""
    numbers: Numbers = {}
    for place in data:
        apart = mean_of(o.get(federated_run(o.quick, recipe, place, 0.0)), "apart:updates")
        if apart is not None:
            numbers[f"{TITLES[place]}: from all alike"] = apart
    holding = [apart is not None and apart <= APART for apart in numbers.values()]
    told = ", ".join(f"{name.partition(':')[0]} {apart:.3f}" for name, apart in numbers.items())
    sentence = f"updates are within {APART} of all alike in {sum(holding)} of {len(holding)} cases ({told})"
    return Finding(verdict(holding), sentence, numbers)


def popularity_stays(o: Outcomes, data: Sequence[str], algorithms: Mapping[str, str]) -> Finding:
    """F6: total variation between what is recommended at each pi above 0 and at 1, items in order of their share."""
    numbers: Numbers = {}
    holding = []
    for place, (name, recipe) in product(data, algorithms.items()):
        at_one = o.get(federated_run(o.quick, recipe, place, 1.0))
        for pi in EVERY_PI:
            found = o.get(federated_run(o.quick, recipe, place, pi))
            if pi == 1 or not found or not at_one:
                continue
            a, b = (shares_of(runs[0], "recommended@10") for runs in (found, at_one))
            apart = float(np.abs(a - b).sum() / 2) if len(a) == len(b) and len(a) else None
            numbers[f"{TITLES[place]}, {name}: pi {pi:g} against 1"] = apart
            if pi > 0 and apart is not None:
                holding.append(apart <= APART)
    if not holding:
        return Finding(NOT_CHECKED, "no run with recommendations counted")
    sentence = f"profiles are within {APART} of that at pi 1 in {sum(holding)} of {len(holding)} cases"
    return Finding(verdict(holding), sentence, numbers)
