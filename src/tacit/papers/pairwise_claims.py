"""Claims that FPL and FedeRank share: what happens along pi, and whether popularity depends on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

import numpy as np

from tacit.experiment.result import Result
from tacit.experiment.significance import LEVEL, p_values, user_means
from tacit.papers.base import NOT_CHECKED, Finding, Outcomes, Wanted, mean_of, verdict
from tacit.papers.pairwise_runs import EVERY_PI, TITLES, federated_run, profile

P, F1, COVERAGE, EVENNESS = "precision@10", "f1@10", "item_coverage@10", "evenness@10"
NEARLY = 0.9
"""Part of the best F1 that counts as nearly all of it."""
MAGNITUDE = 10
"""How many times better pi 0.1 is than pi 0: an order of magnitude."""
APART = 0.1
"""Total variation between two popularity profiles that still counts as the same."""
Numbers = dict[str, float | None]


def precision(o: Outcomes, wanted: Wanted) -> float | None:
    """P@10 over the seeds; None where it was left out."""
    return mean_of(o.get(wanted), P)


def better(a: Sequence[Result], b: Sequence[Result], metric: str = P) -> tuple[bool, float]:
    """Whether a beats b user by user (paired t test), and p."""
    both = user_means(a, metric).join(user_means(b, metric), on="user", suffix="_b").drop_nulls()
    difference = (both["value"] - both["value_b"]).to_numpy()
    p = p_values(difference)[0]
    return bool(difference.mean() > 0 and p < LEVEL), p


def _along_pi(
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
    """F4a: the best pi below 1 against 1; equal is not better."""
    numbers: Numbers = {}
    holding = []
    for case, values in _along_pi(o, data, algorithms, F1).items():
        best = max((pi for pi in values if pi < 1), key=values.__getitem__)
        numbers |= {f"{case}: best pi below 1": best, f"{case}: F1@10 there": values[best]}
        numbers[f"{case}: F1@10 at pi 1"] = values[1.0]
        holding.append(values[best] > values[1.0])
    sentence = f"some pi below 1 is better than 1 in {sum(holding)} of {len(holding)} cases"
    return Finding(verdict(holding), sentence, numbers)


def a_tenth_is_nearly_enough(o: Outcomes, data: Sequence[str], algorithms: Mapping[str, str]) -> Finding:
    """F4b: what pi 0.1 reaches of the best."""
    numbers: Numbers = {}
    for case, values in _along_pi(o, data, algorithms, F1).items():
        numbers[f"{case}: part of the best at pi 0.1"] = values[0.1] / max(values.values())
    reached = [part for part in numbers.values() if part is not None]
    if not reached:
        return Finding(NOT_CHECKED, "no data set with pi 0, 0.1 and 1")
    holding = [part >= NEARLY for part in reached]
    sentence = f"pi 0.1 reaches {100 * min(reached):.0f} to {100 * max(reached):.0f} % of the best; "
    sentence += f"{100 * NEARLY:.0f} % or more in {sum(holding)} of {len(holding)} cases"
    return Finding(verdict(holding), sentence, numbers)


def nothing_disclosed_is_random(o: Outcomes, data: Sequence[str], algorithms: Mapping[str, str]) -> Finding:
    """F4c: what pi 0 is like beside 0.1 and 1."""
    numbers: Numbers = {}
    holding = []
    wide = _along_pi(o, data, algorithms, COVERAGE)
    for case, values in _along_pi(o, data, algorithms, P).items():
        numbers |= {f"{case}: P@10 at pi 0": values[0.0], f"{case}: P@10 at pi 0.1": values[0.1]}
        ratio = numbers[f"{case}: coverage at pi 0 / at pi 1"] = wide[case][0.0] / max(1.0, wide[case][1.0])
        holding.append(MAGNITUDE * values[0.0] <= values[0.1] and ratio > 1)
    sentence = f"pi 0 is {MAGNITUDE} times worse than 0.1 and covers more than 1 in {sum(holding)} of "
    sentence += f"{len(holding)} cases"
    return Finding(verdict(holding), sentence, numbers)


def diversity_grows(o: Outcomes, data: Sequence[str], algorithms: Mapping[str, str]) -> Finding:
    """F12: coverage and evenness at pi 1 against 0.1."""
    numbers: Numbers = {}
    holding = []
    for metric, name in ((COVERAGE, "coverage"), (EVENNESS, "evenness")):
        for case, values in _along_pi(o, data, algorithms, metric).items():
            numbers |= {f"{case}: {name} at pi {pi:g}": values[pi] for pi in (0.1, 1.0)}
            holding.append(values[1.0] > values[0.1])
    sentence = f"more at pi 1 than at 0.1 in {sum(holding)} of {len(holding)} cases"
    return Finding(verdict(holding), sentence, numbers)


def updates_are_flat(o: Outcomes, data: Sequence[str], recipe: str) -> Finding:
    """F11: total variation between how often items are updated at pi 0 and all alike."""
    numbers: Numbers = {}
    for place in data:
        for run in o.get(federated_run(o.quick, recipe, place, 0.0))[:1]:
            shares = profile(run, "updates")
            if len(shares):
                numbers[f"{TITLES[place]}: from all alike"] = float(
                    np.abs(shares - 1 / len(shares)).sum() / 2
                )
    holding = [apart is not None and apart <= APART for apart in numbers.values()]
    sentence = f"updates are within {APART} of all alike in {sum(holding)} of {len(holding)} cases"
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
            a, b = (profile(runs[0], "recommended@10") for runs in (found, at_one))
            apart = float(np.abs(a - b).sum() / 2) if len(a) == len(b) and len(a) else None
            numbers[f"{TITLES[place]}, {name}: pi {pi:g} against 1"] = apart
            if pi > 0 and apart is not None:
                holding.append(apart <= APART)
    if not holding:
        return Finding(NOT_CHECKED, "no run with recommendations counted")
    sentence = f"profiles are within {APART} of that at pi 1 in {sum(holding)} of {len(holding)} cases"
    return Finding(verdict(holding), sentence, numbers)
