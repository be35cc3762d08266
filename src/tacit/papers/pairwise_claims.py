"""Claims that FPL and FedeRank share: what happens along pi, and whether popularity depends on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

import numpy as np

from tacit.experiment.result import Result
from tacit.experiment.significance import LEVEL, p_values, user_means
from tacit.papers.base import Finding, Outcomes, Wanted, mean_of, verdict
from tacit.papers.pairwise_runs import TITLES, federated_run, profile

P = "precision@10"
NEARLY = 0.9
"""Part of the best precision that counts as nearly all of it."""
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


def along_pi(
    o: Outcomes, data: Sequence[str], algorithms: Mapping[str, str], pis: Sequence[float]
) -> Finding:
    """F4: where the best pi is, what pi 0.1 reaches of it, and what pi 0 is like."""
    numbers: Numbers = {}
    below_one, reached, blind = [], [], []
    for place, (name, recipe) in product(data, algorithms.items()):
        runs = {pi: o.get(federated_run(o.quick, recipe, place, pi)) for pi in pis}
        values = {pi: value for pi, found in runs.items() if (value := mean_of(found, P)) is not None}
        if not {0.0, 0.1, 1.0} <= set(values):
            continue
        best = max(values, key=values.__getitem__)
        case = f"{TITLES[place]}, {name}"
        numbers[f"{case}: best pi"] = best
        numbers[f"{case}: P@10 there"] = values[best]
        numbers[f"{case}: P@10 at pi 1"] = values[1.0]
        numbers[f"{case}: part of the best at pi 0.1"] = values[0.1] / values[best]
        numbers[f"{case}: P@10 at pi 0"] = values[0.0]
        wide = [mean_of(runs[pi], "item_coverage@10") or 0.0 for pi in (0.0, 1.0)]
        numbers[f"{case}: coverage at pi 0 / at pi 1"] = wide[0] / wide[1] if wide[1] else None
        below_one.append(best < 1)
        reached.append(values[0.1] / values[best])
        blind.append(values[0.0] < 0.2 * values[best] and wide[0] > wide[1])
    if not reached:
        return Finding("not checked", "no data set with pi 0, 0.1 and 1")
    sentence = (
        f"the best pi is below 1 in {sum(below_one)} of {len(below_one)} cases; pi 0.1 reaches "
        f"{100 * min(reached):.0f} to {100 * max(reached):.0f} % of the best; pi 0 is poor and covers more items "
        f"in {sum(blind)} of {len(blind)}"
    )
    holding = [sum(below_one) > len(below_one) / 2, max(reached) >= NEARLY, all(blind)]
    return Finding(verdict(holding), sentence, numbers)


def popularity_stays(
    o: Outcomes, data: Sequence[str], algorithms: Mapping[str, str], pis: Sequence[float]
) -> Finding:
    """F6: total variation between what is recommended at each pi above 0 and at 1, items in order of their share."""
    numbers: Numbers = {}
    holding = []
    for place, (name, recipe) in product(data, algorithms.items()):
        at_one = o.get(federated_run(o.quick, recipe, place, 1.0))
        for pi in pis:
            found = o.get(federated_run(o.quick, recipe, place, pi))
            if pi == 1 or not found or not at_one:
                continue
            a, b = (profile(runs[0], "recommended@10") for runs in (found, at_one))
            apart = float(np.abs(a - b).sum() / 2) if len(a) == len(b) and len(a) else None
            numbers[f"{TITLES[place]}, {name}: pi {pi:g} against 1"] = apart
            if pi > 0 and apart is not None:
                holding.append(apart <= APART)
    if not holding:
        return Finding("not checked", "no run with recommendations counted")
    sentence = f"profiles are within {APART} of that at pi 1 in {sum(holding)} of {len(holding)} cases"
    return Finding(verdict(holding), sentence, numbers)
