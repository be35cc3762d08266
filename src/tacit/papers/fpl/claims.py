"""Claims F1 to F4, F7 to F9 and F14 of FPL and its communication cost, and what our runs say. Thresholds are ours."""

from __future__ import annotations

from tacit.data.categories import TOPS
from tacit.papers.base import Claim, Finding, Outcomes, Wanted, mean_of, reference, verdict
from tacit.papers.fpl.cost_table import cost_lines
from tacit.papers.fpl.runs import ALGORITHMS, DATA, OWN, data
from tacit.papers.pairwise_claims import (
    COVERAGE,
    EVENNESS,
    MARGINS,
    NEARLY,
    Numbers,
    P,
    a_tenth_is_nearly_enough,
    best_is_not_one,
    better,
    precision,
)
from tacit.papers.pairwise_runs import BASELINES, EVERY_PI, TITLES, baseline_run, federated_run

PAR = 0.05
"""Relative difference in P@10 that still counts as being on a par."""
OTHERS = ("User-kNN", "Item-kNN", "VAE", "BPR-MF", "FCF")
"""The algorithms of table 4 whose bias FPL's is compared with: those that learn."""


def _own(o: Outcomes, name: str, place: str) -> Wanted:
    return federated_run(o.quick, OWN[name].recipe, place, OWN[name].pi[place])


def _central(o: Outcomes, place: str) -> Wanted:
    return baseline_run(o.quick, BASELINES["BPR-MF"], place)


def _over_central(o: Outcomes) -> Numbers:
    numbers: Numbers = {}
    for place in data(o.quick):
        ours, theirs = precision(o, _own(o, "sFPL", place)), precision(o, _central(o, place))
        if ours is not None and theirs:
            numbers[f"{TITLES[place]}: P@10 of sFPL over BPR-MF's"] = ours / theirs
    return numbers


def _reaches(numbers: Numbers) -> str:
    return "sFPL reaches " + ", ".join(f"{ratio:.3f}" for ratio in numbers.values()) + " times BPR-MF's P@10"


def level_with_central(o: Outcomes) -> Finding:
    """F1a: sFPL over BPR-MF."""
    numbers = _over_central(o)
    holding = [ratio is not None and ratio >= 1 - PAR for ratio in numbers.values()]
    return Finding(verdict(holding), _reaches(numbers), numbers)


def above_central(o: Outcomes) -> Finding:
    """F1b: the paper's table has sFPL slightly above."""
    numbers = _over_central(o)
    holding = [ratio is not None and ratio > 1 for ratio in numbers.values()]
    return Finding(verdict(holding), _reaches(numbers), numbers)


def more_local_computation_wins(o: Outcomes) -> Finding:
    """F2: the + variants against BPR-MF, user by user."""
    numbers: Numbers = {}
    holding = []
    for place in data(o.quick):
        for name in ("sFPL+", "pFPL+"):
            own, central = _own(o, name, place), _central(o, place)
            ours, theirs = precision(o, own), precision(o, central)
            if ours is None or not theirs:
                continue
            surely, p = better(o[own], o[central])
            numbers[f"{TITLES[place]}: P@10 of {name} over BPR-MF's"] = ours / theirs
            numbers[f"{TITLES[place]}: {name}, p of the paired t test"] = p
            holding.append(surely)
    sentence = f"better than BPR-MF (paired t test, p < 0.05) in {sum(holding)} of {len(holding)} cases"
    return Finding(verdict(holding), sentence, numbers)


def parallelism_hardly_matters(o: Outcomes) -> Finding:
    """F3: all clients per round against one."""
    numbers: Numbers = {}
    for place in data(o.quick):
        for one, everybody in (("sFPL", "pFPL"), ("sFPL+", "pFPL+")):
            ours, theirs = precision(o, _own(o, everybody, place)), precision(o, _own(o, one, place))
            if ours is not None and theirs:
                numbers[f"{TITLES[place]}: P@10 of {everybody} over {one}'s"] = ours / theirs
    ratios = [ratio for ratio in numbers.values() if ratio is not None]
    sentence = "P@10 of parallel over sequential: " + ", ".join(f"{ratio:.2f}" for ratio in ratios)
    return Finding(verdict([abs(ratio - 1) <= PAR for ratio in ratios]), sentence, numbers)


def both_together_improve(o: Outcomes) -> Finding:
    """F14: parallelism and local computation against local computation alone, user by user."""
    numbers: Numbers = {}
    holding, told = [], []
    printed = {
        (r["dataset"], r["algorithm"], r["metric"]): float(r["value"]) for r in reference("fpl/printed")
    }
    for place in data(o.quick):
        both, alone = _own(o, "pFPL+", place), _own(o, "sFPL+", place)
        ours, alone_at = precision(o, both), precision(o, alone)
        if ours is not None and alone_at:
            numbers[f"{TITLES[place]}: P@10 of pFPL+ over sFPL+'s"] = ours / alone_at
            holding.append(ours > alone_at and better(o[both], o[alone])[0])
            theirs = printed[place, "pFPL+", P] / printed[place, "sFPL+", P]
            told.append(f"{TITLES[place]} {ours / alone_at:.3f}, in the paper's table {theirs:.3f}")
    return Finding(verdict(holding), f"P@10 of pFPL+ over sFPL+'s: {'; '.join(told)}", numbers)


def computation_widens(o: Outcomes) -> Finding:
    """F7: coverage and evenness of the + variants over those without."""
    numbers: Numbers = {}
    for place in data(o.quick):
        for few, many in (("sFPL", "sFPL+"), ("pFPL", "pFPL+")):
            for metric, name in ((COVERAGE, "coverage"), (EVENNESS, "evenness")):
                a, b = (mean_of(o.get(_own(o, variant, place)), metric) for variant in (few, many))
                if a and b is not None:
                    numbers[f"{TITLES[place]}: {name} of {many} over {few}'s"] = b / a
    holding = [ratio is not None and ratio > 1 for ratio in numbers.values()]
    return Finding(verdict(holding), f"higher in {sum(holding)} of {len(holding)} cases", numbers)


def _best(o: Outcomes, place: str, computation: str) -> float | None:
    """The best P@10 over all pi above 0, of the variants with high or low local computation."""
    recipes = [r for name, r in ALGORITHMS.items() if name.endswith("+") == (computation == "high")]
    found = [precision(o, federated_run(o.quick, r, place, pi)) for r in recipes for pi in EVERY_PI[1:]]
    return max((value for value in found if value is not None), default=None)


def _low_over_high(o: Outcomes) -> tuple[Numbers, str]:
    """What low local computation, which costs less to communicate, reaches of the best P@10 with high."""
    numbers: Numbers = {}
    for place in data(o.quick):
        low, high = _best(o, place, "low"), _best(o, place, "high")
        if low is not None and high:
            numbers[f"{TITLES[place]}: best P@10 with low computation over that with high"] = low / high
    parts = ", ".join(f"{ratio:.2f}" for ratio in numbers.values())
    return (
        numbers,
        f"low local computation reaches {parts} times the best P@10 with high" if parts else "not run",
    )


def computation_is_the_accurate_end(o: Outcomes) -> Finding:
    """F8a: who has the most accurate point of the Pareto front."""
    numbers, sentence = _low_over_high(o)
    return Finding(
        verdict([ratio is not None and ratio < 1 for ratio in numbers.values()]), sentence, numbers
    )


def saving_costs_little(o: Outcomes) -> Finding:
    """F8b: what the variants that cost least reach of the best accuracy."""
    numbers, sentence = _low_over_high(o)
    holding = [ratio is not None and ratio >= 1 - PAR for ratio in numbers.values()]
    return Finding(verdict(holding), sentence, numbers)


def biased_as_others(o: Outcomes) -> Finding:
    """F9: the sign of each category's bias disparity, against that of most others."""
    numbers: Numbers = {}
    holding = []
    divided: list[str] = []
    absent: list[str] = []
    for place in data(o.quick):
        others = {name: o.get(baseline_run(o.quick, BASELINES[name], place)) for name in OTHERS}
        if any(others.values()):
            absent += [name for name, runs in others.items() if not runs]
        for category in TOPS:
            metric = f"bias_disparity:{category}"
            signs = [value > 0 for runs in others.values() if (value := mean_of(runs, metric)) is not None]
            if signs and 2 * sum(signs) == len(signs):
                divided.append(f"{TITLES[place]}, {category}")
                continue
            for name in OWN:
                own = mean_of(o.get(_own(o, name, place)), metric)
                if own is None or not signs:
                    continue
                numbers[f"{TITLES[place]}, {category}: {name}"] = own
                holding.append((own > 0) == (2 * sum(signs) > len(signs)))
    sentence = f"the direction is that of most other algorithms in {sum(holding)} of {len(holding)} cases"
    if divided:
        sentence += f"; {len(OWN) * len(divided)} more do not count, since the others are divided "
        sentence += f"({'; '.join(divided)})"
    if absent:
        sentence += f"; not run: {', '.join(dict.fromkeys(absent))}"
    return Finding(verdict(holding), sentence, numbers)


def cost_follows_from_the_formula(o: Outcomes) -> Finding:
    """Table 3, to the unit."""
    numbers: Numbers = {}
    holding = []
    for line in cost_lines():
        numbers[f"{line.name}: ours minus the paper's"] = round(line.ours or 0) - (line.paper or 0)
        holding.append(round(line.ours or 0) == line.paper)
    return Finding(
        verdict(holding), f"{sum(holding)} of {len(holding)} printed numbers, to the unit", numbers
    )


_MARGINS = ", ".join(
    f"{100 * MARGINS[place]:.0f} % ({TITLES[place].removeprefix('Foursquare ')})" for place in DATA
)
CLAIMS = (
    Claim(
        "F1a",
        "sFPL is on a par with centralized BPR-MF",
        "section 5.1 (RQ1), table 2",
        f"P@10 at least {1 - PAR:g} times BPR-MF's, at the paper's best pi",
        ("table-2",),
        level_with_central,
    ),
    Claim(
        "F1b",
        "sFPL is slightly above centralized BPR-MF",
        "section 5.1 (RQ1), table 2",
        "P@10 above BPR-MF's, at the paper's best pi",
        ("table-2",),
        above_central,
    ),
    Claim(
        "F2",
        "More local computation (the + variants) beats BPR-MF",
        "section 5.1 (RQ1), table 2",
        "P@10 higher, paired t test over users p < 0.05",
        ("table-2",),
        more_local_computation_wins,
    ),
    Claim(
        "F3",
        "Parallelism hardly changes accuracy",
        "section 5.1 (RQ1), table 2",
        f"P@10 within {100 * PAR:.0f} % of the sequential variant's, each at the paper's best pi",
        ("table-2",),
        parallelism_hardly_matters,
    ),
    Claim(
        "F4a",
        "The best pi is rarely 1",
        "section 5.1 (RQ2), figure 2",
        f"F1@10 over pi: the best below 1 is above that at 1 by more than a margin. It is {_MARGINS}",
        ("figure-2",),
        lambda o: best_is_not_one(o, DATA, ALGORITHMS),
    ),
    Claim(
        "F4b",
        "Recommendations are good although little is disclosed",
        "section 5.1 (RQ2), figure 2",
        f"F1@10 at pi 0.1 is {100 * NEARLY:.0f} % of the best or more",
        ("figure-2",),
        lambda o: a_tenth_is_nearly_enough(o, DATA, ALGORITHMS),
    ),
    Claim(
        "F7",
        "More local computation makes recommendations more diverse",
        "section 5.2, table 2",
        "item coverage and evenness (the paper's Gini index) of the + variants are higher",
        ("table-2",),
        computation_widens,
    ),
    Claim(
        "F8a",
        "The accurate end of the Pareto front of cost and accuracy belongs to high local computation",
        "section 5.3 (RQ3), figure 4",
        "the best P@10 over all pi belongs to a + variant (the cheapest point is without by the formula)",
        ("figure-4",),
        computation_is_the_accurate_end,
    ),
    Claim(
        "F8b",
        "Limiting the communication costs does not particularly affect accuracy",
        "section 5.3 (RQ3), figure 4",
        f"the best P@10 of the variants without + is at least {1 - PAR:g} times the best of those with it",
        ("figure-4",),
        saving_costs_little,
    ),
    Claim(
        "F9",
        "FPL is biased for and against the same categories as other algorithms",
        "section 5.4 (RQ4), table 4",
        f"the sign of the bias disparity of each category is that of most of {', '.join(OTHERS)}. A category on which "
        "these are divided does not count",
        ("table-4",),
        biased_as_others,
    ),
    Claim(
        "F14",
        "Local computation combined with parallelism improves further",
        "section 5.1 (RQ1), table 2",
        "P@10 of pFPL+ above sFPL+'s, paired t test over users p < 0.05, each at the paper's best pi",
        ("table-2",),
        both_together_improve,
    ),
    Claim(
        "Table 3",
        "The communication cost of an epoch on Brazil",
        "section 3.2, equation 9 and 10, table 3",
        "CCE = rho (M + T (1 + pi)) with the paper's own counts, against every printed number",
        ("table-3",),
        cost_follows_from_the_formula,
        quick=True,
    ),
)
