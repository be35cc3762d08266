"""Claims F1 to F4, F7 to F9, F14 and F16 to F21 of FPL and its communication cost, and what our runs say.

Thresholds are ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from tacit.data.categories import TOPS
from tacit.papers.base import Claim, Finding, Outcomes, Wanted, mean_of, reference, verdict
from tacit.papers.fpl.cost_table import cost_lines
from tacit.papers.fpl.runs import ALGORITHMS, DATA, OWN, data
from tacit.papers.pairwise_claims import (
    COVERAGE,
    DIVERSITY,
    MARGINS,
    NEARLY,
    SLACK,
    Numbers,
    P,
    a_tenth_is_nearly_enough,
    along_pi,
    best_is_not_one,
    better,
    diversity_grows,
    precision,
)
from tacit.papers.pairwise_runs import BASELINES, EVERY_PI, TITLES, baseline_run, federated_run

PAR = 0.05
"""Relative difference in P@10 that still counts as being on a par."""
ALIKE = 0.1
"""Relative difference in P@10 that still counts as the same range."""
FEW_AND_MANY = (("sFPL", "sFPL+"), ("pFPL", "pFPL+"))
"""Variants with low and with high local computation that are alike otherwise."""
FIGURE_3 = ("foursquare-canada", "foursquare-italy")
"""Where the paper sees figure 3 move right and up; about Brazil it says something else."""
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
    return _alike("P@10 of parallel over sequential", numbers, PAR)


def _alike(what: str, numbers: Numbers, apart: float) -> Finding:
    """Whether ratios are near 1."""
    ratios = [ratio for ratio in numbers.values() if ratio is not None]
    sentence = f"{what}: " + ", ".join(f"{ratio:.2f}" for ratio in ratios)
    return Finding(verdict([abs(ratio - 1) <= apart for ratio in ratios]), sentence, numbers)


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


def item_knn_is_like_central(o: Outcomes) -> Finding:
    """F16: Item-kNN over BPR-MF."""
    numbers: Numbers = {}
    for place in data(o.quick):
        ours = precision(o, baseline_run(o.quick, BASELINES["Item-kNN"], place))
        theirs = precision(o, _central(o, place))
        if ours is not None and theirs:
            numbers[f"{TITLES[place]}: P@10 of Item-kNN over BPR-MF's"] = ours / theirs
    return _alike("P@10 of Item-kNN over BPR-MF's", numbers, ALIKE)


def user_knn_is_ahead(o: Outcomes) -> Finding:
    """F17: User-kNN against every other row of the table."""
    numbers: Numbers = {}
    holding: list[bool] = []
    absent: list[str] = []
    for place in data(o.quick):
        best = precision(o, baseline_run(o.quick, BASELINES["User-kNN"], place))
        if best is None:
            continue
        numbers[f"{TITLES[place]}: P@10 of User-kNN"] = best
        for name, wanted in _rivals_of_user_knn(o, place).items():
            theirs = precision(o, wanted)
            if theirs is None:
                absent.append(name)
            else:
                numbers[f"{TITLES[place]}: P@10 of {name}"] = theirs
                holding.append(best > theirs)
    sentence = f"User-kNN is ahead in {sum(holding)} of {len(holding)} cases"
    if absent:
        sentence += f"; not run: {', '.join(dict.fromkeys(absent))}"
    return Finding(verdict(holding), sentence, numbers)


def _rivals_of_user_knn(o: Outcomes, place: str) -> dict[str, Wanted]:
    """The other rows of table 2."""
    others = {name: baseline_run(o.quick, recipe, place) for name, recipe in BASELINES.items()}
    del others["User-kNN"]
    return others | {name: _own(o, name, place) for name in OWN}


def computation_widens(o: Outcomes) -> Finding:
    """F7: coverage and evenness of the + variants over those without."""
    numbers: Numbers = {}
    for place in data(o.quick):
        for few, many in FEW_AND_MANY:
            for name, metric in DIVERSITY.items():
                a, b = (mean_of(o.get(_own(o, variant, place)), metric) for variant in (few, many))
                if a and b is not None:
                    numbers[f"{TITLES[place]}: {name} of {many} over {few}'s"] = b / a
    holding = [ratio is not None and ratio > 1 for ratio in numbers.values()]
    return Finding(verdict(holding), f"higher in {sum(holding)} of {len(holding)} cases", numbers)


def computation_is_wider_than_central(o: Outcomes) -> Finding:
    """F18: coverage and evenness of the + variants over BPR-MF's."""
    numbers: Numbers = {}
    for place, (_, many) in product(data(o.quick), FEW_AND_MANY):
        for name, metric in DIVERSITY.items():
            ours, theirs = (mean_of(o.get(w), metric) for w in (_own(o, many, place), _central(o, place)))
            if ours is not None and theirs:
                numbers[f"{TITLES[place]}: {name} of {many} over BPR-MF's"] = ours / theirs
    holding = [ratio is not None and ratio > 1 for ratio in numbers.values()]
    return Finding(verdict(holding), f"higher in {sum(holding)} of {len(holding)} cases", numbers)


def pi_moves_wide_ones_more(o: Outcomes) -> Finding:
    """F20: the highest item coverage less the lowest, over the values of pi above 0 that both were run with."""
    numbers: Numbers = {}
    holding, told = [], []
    wide = along_pi(o, data(o.quick), ALGORITHMS, COVERAGE)
    for place, pair in product(data(o.quick), FEW_AND_MANY):
        few, many = (f"{TITLES[place]}, {name}" for name in pair)
        if few in wide and many in wide:
            shared = [pi for pi in wide[few] if pi > 0 and pi in wide[many]]
            moved = {case: _moved([wide[case][pi] for pi in shared]) for case in (few, many)}
            numbers |= {f"{case}: highest coverage less lowest": value for case, value in moved.items()}
            holding.append(moved[many] > moved[few])
            told.append(f"{many} {moved[many]:.0f}, {pair[0]} {moved[few]:.0f}")
    sentence = f"coverage moves by more with high computation in {sum(holding)} of {len(holding)} cases"
    return Finding(verdict(holding), f"{sentence} ({'; '.join(told)})", numbers)


def _moved(values: Sequence[float]) -> float:
    return max(values) - min(values)


def computation_moves_right_and_up(o: Outcomes) -> Finding:
    """F21: coverage and precision of the + variants over those without, at each pi of figure 3."""
    numbers: Numbers = {}
    holding = []
    for place, pair, pi in product(FIGURE_3, FEW_AND_MANY, EVERY_PI[1:]):
        few, many = (o.get(federated_run(o.quick, ALGORITHMS[name], place, pi)) for name in pair)
        ratios: dict[str, float] = {}
        for name, metric in (("coverage", COVERAGE), ("P@10", P)):
            a, b = mean_of(few, metric), mean_of(many, metric)
            if a and b is not None:
                ratios[f"{TITLES[place]}, pi {pi:g}: {name} of {pair[1]} over {pair[0]}'s"] = b / a
        if len(ratios) == 2:
            numbers |= ratios
            holding.append(all(ratio > 1 for ratio in ratios.values()))
    sentence = f"wider and more precise in {sum(holding)} of {len(holding)} cases"
    return Finding(verdict(holding), sentence, numbers)


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
        "F16",
        "Item-kNN and BPR-MF have accuracies in the same range",
        "section 5.1 (RQ1), table 2",
        f"P@10 of Item-kNN within {100 * ALIKE:.0f} % of BPR-MF's",
        ("table-2",),
        item_knn_is_like_central,
    ),
    Claim(
        "F17",
        "User-kNN outperforms all other approaches",
        "section 5.1 (RQ1), table 2",
        "P@10 above that of every other row. The paper's own table has VAE above it on Italy, for 14 % of the users",
        ("table-2",),
        user_knn_is_ahead,
    ),
    Claim(
        "F18",
        "With more local computation FPL is more diverse than BPR-MF throughout",
        "section 5.2, table 2",
        "item coverage and evenness (the paper's Gini index) of the + variants are above BPR-MF's",
        ("table-2",),
        computation_is_wider_than_central,
    ),
    Claim(
        "F19",
        "Item coverage grows with pi",
        "section 5.2, figure 3",
        "item coverage is higher at pi 1 than at 0.1. No step from one pi to the next loses more than "
        f"{100 * SLACK:.0f} %",
        ("figure-3",),
        lambda o: diversity_grows(o, data(o.quick), ALGORITHMS, {"coverage": COVERAGE}),
    ),
    Claim(
        "F20",
        "pi affects item coverage more with high local computation than with low",
        "section 5.2, figure 3",
        "the highest item coverage over pi from 0.1 to 1, less the lowest, is larger with the + variant",
        ("figure-3",),
        pi_moves_wide_ones_more,
    ),
    Claim(
        "F21",
        "On Canada and Italy high local computation moves the points of figure 3 to the right and to the top",
        "section 5.2, figure 3",
        "item coverage and P@10 of the + variant are both higher at the same pi, 0.1 to 1",
        ("figure-3",),
        computation_moves_right_and_up,
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
