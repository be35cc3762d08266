"""Claims P1 to P5, P8 and P10 to P14 of PEPPER, and what our runs say. Thresholds are ours."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from tacit.papers.base import NOT_CHECKED, Claim, Finding, Numbers, Outcomes, listed, tell, verdict
from tacit.papers.pepper.round_claims import ROUND_CLAIMS, TWO_GROUPS
from tacit.papers.pepper.runs import (
    ALGORITHMS,
    ALPHAS,
    COMPETITORS,
    FEDERATED,
    KS,
    LEVEL,
    METRIC,
    ML,
    NYC,
    PEPPER,
    TITLES,
    Case,
    cases,
    exists,
    mean,
    panels,
    there,
)

LONG_TAIL, NEAR_21 = 0.21, 0.05
"""The paper's largest gain on the long tail, and how far below it still counts."""
GAINS, NEAR_GAIN = {"hr@20": 0.0893, "ndcg@20": 0.0435}, 0.02
"""The paper's gains over Decentralized FedAvg on Foursquare, and how far below them still counts."""
UP_TO = {"hr": 0.09, "ndcg": 0.06, "f1": 0.13}
"""Its largest gains over any decentralized competitor; as far below them still counts."""
THREE = 2.5
"""At least so many times is about three times."""


def _cases(o: Outcomes) -> Iterator[Case]:
    """Every case that PEPPER was run in."""
    for model in METRIC:
        yield from (case for case in cases(o.quick, model) if case.there(o, PEPPER))


def _against(
    o: Outcomes, rivals: dict[str, str], what: str = "", higher: bool = True, at: Sequence[int] = (20,)
) -> tuple[Numbers, list[str], list[bool]]:
    """PEPPER less the best rival, case by case: the numbers, the data sets, and whether PEPPER is ahead.

    `at`: the lengths of lists, each of which is a case.
    """
    numbers: Numbers = {}
    where, ahead = [], []
    for case in _cases(o):
        offered = [r for r in rivals if exists(r, case.panel)]
        if not case.there(o, *offered):
            continue  # not finished
        for k in at:
            name = f"{METRIC[case.model]}@{k}{what}"
            others = [case.mean(o, name, r) for r in offered]
            own = case.mean(o, name, PEPPER)
            gain = own - max(others) if higher else min(others) - own
            numbers[f"{case.title}: {name}"] = gain
            where.append(case.data)
            ahead.append(gain > LEVEL)
    return numbers, where, ahead


def _range(numbers: Numbers) -> str:
    """From the least to the largest gain."""
    found = [number for number in numbers.values() if number is not None]
    return f" (gains of {min(found):+.3f} to {max(found):+.3f})" if found else ""


def beats_decentralized(o: Outcomes) -> Finding:
    """P1."""
    numbers, _, ahead = _against(o, COMPETITORS, at=KS)
    sentence = tell("PEPPER's mean is above all decentralized competitors'", ahead)
    return Finding(verdict(ahead), f"{sentence}{_range(numbers)}", numbers)


def _against_federated(o: Outcomes, dense: bool) -> tuple[Numbers, list[bool]]:
    """The numbers and whether PEPPER is ahead, on MovieLens-100K (dense) or on check-ins.

    The paper excepts F1@20 on Foursquare, where its own table has Reptile ahead.
    """
    numbers, where, ahead = _against(o, FEDERATED, at=KS)
    excepted = [name.endswith("f1@20") and data == NYC for name, data in zip(numbers, where, strict=True)]
    inside = [(data == ML) == dense and not out for data, out in zip(where, excepted, strict=True)]
    kept = {name: number for (name, number), there in zip(numbers.items(), inside, strict=True) if there}
    return kept, [won for won, there in zip(ahead, inside, strict=True) if there]


def beats_federated_where_sparse(o: Outcomes) -> Finding:
    """P2a."""
    numbers, ahead = _against_federated(o, dense=False)
    sentence = tell("PEPPER is above all federated ones", ahead)
    return Finding(verdict(ahead), f"{sentence}{_range(numbers)}", numbers)


def behind_where_dense(o: Outcomes) -> Finding:
    """P2b."""
    numbers, _ = _against_federated(o, dense=True)
    behind = [gain is not None and gain < -LEVEL for gain in numbers.values()]
    sentence = tell("PEPPER is below the best federated one", behind)
    return Finding(verdict(behind), f"{sentence}{_range(numbers)}", numbers)


def beats_decentralized_averaging(o: Outcomes) -> Finding:
    """P11: on Foursquare, in points."""
    numbers: Numbers = {}
    holding = []
    for panel in panels(o.quick):
        if all(there(o, NYC, r, panel=panel) for r in (PEPPER, "pepper/dec-fedavg")):
            for metric, theirs in GAINS.items():
                own, other = (mean(o, metric, NYC, r, panel=panel) for r in (PEPPER, "pepper/dec-fedavg"))
                numbers[f"{panel.title}: {metric}"] = own - other
                holding.append(own - other >= theirs - NEAR_GAIN)
    sentence = tell(f"the gain is at most {NEAR_GAIN} below the paper's", holding)
    return Finding(verdict(holding), f"{sentence}{_range(numbers)}", numbers)


def _is_best(o: Outcomes, best: str, among: dict[str, str], metric: str, data: str, model: str) -> Finding:
    """Whether an algorithm is above the others."""
    numbers: Numbers = {}
    for case in cases(o.quick, model):
        others = [r for r in among if r != best and exists(r, case.panel)]
        if case.data == data and case.there(o, best, *others):
            most = max(case.mean(o, metric, r) for r in others)
            numbers[f"{case.setting}: {metric}"] = case.mean(o, metric, best) - most
    holding = [gain is not None and gain > LEVEL for gain in numbers.values()]
    sentence = tell(f"{among[best]} is best on {TITLES[data]}", holding)
    return Finding(verdict(holding), f"{sentence}{_range(numbers)}", numbers)


def beats_reptile_on_shorter_lists(o: Outcomes) -> Finding:
    """P13b: on Foursquare with PRME-G, at every K but 20."""
    numbers: Numbers = {}
    for case in cases(o.quick, "prme-g"):
        if case.data == NYC and case.there(o, PEPPER, "pepper/reptile"):
            for name in (f"f1@{k}" for k in KS if k != 20):
                own, other = (case.mean(o, name, r) for r in (PEPPER, "pepper/reptile"))
                numbers[f"{case.setting}: {name}"] = own - other
    holding = [gain is not None and gain > LEVEL for gain in numbers.values()]
    sentence = tell("PEPPER is above Reptile", holding)
    return Finding(verdict(holding), f"{sentence}{_range(numbers)}", numbers)


def better_tenth(o: Outcomes) -> Finding:
    """P3a."""
    numbers, _, ahead = _against(o, COMPETITORS, " p10")
    sentence = tell("the 10th percentile is above all decentralized competitors'", ahead)
    return Finding(verdict(ahead), f"{sentence}{_range(numbers)}", numbers)


def _largest_gain(o: Outcomes, where: Iterable[tuple[Case, str]], enough: float) -> Finding:
    """PEPPER less its weakest decentralized competitor by cases and metrics, and whether the largest gain is enough."""
    numbers: Numbers = {}
    for case, name in where:
        if case.there(o, *COMPETITORS):
            least = min(case.mean(o, name, r) for r in COMPETITORS)
            numbers[f"{case.title}: {name}"] = case.mean(o, name, PEPPER) - least
    if not numbers:
        return Finding(NOT_CHECKED, "no case is finished")
    most = max(number for number in numbers.values() if number is not None)
    named = next(name for name, number in numbers.items() if number == most)
    sentence = f"the largest of {len(numbers)} gains is {most:+.3f} ({named})"
    return Finding(verdict([most >= enough]), sentence, numbers)


def the_long_tail_gains(o: Outcomes) -> Finding:
    """P3d: at the 25th percentile."""
    where = ((case, f"{METRIC[case.model]}@20 p25") for case in _cases(o))
    return _largest_gain(o, where, LONG_TAIL - NEAR_21)


def _gains_up_to(o: Outcomes, model: str, metric: str) -> Finding:
    """P14: on average, at any K."""
    where = ((case, f"{metric}@{k}") for case in _cases(o) if case.model == model for k in KS)
    return _largest_gain(o, where, UP_TO[metric] - NEAR_GAIN)


def fewer_without_a_hit(o: Outcomes) -> Finding:
    """P3b: with GMF."""
    every, _, _ = _against(o, COMPETITORS, " zero", higher=False)
    numbers = {name: gain for name, gain in every.items() if ", gmf, " in name}
    ahead = [gain is not None and gain > LEVEL for gain in numbers.values()]
    sentence = tell("fewer users are at zero than with any competitor", ahead)
    return Finding(verdict(ahead), f"{sentence}{_range(numbers)}", numbers)


def robust_to_sparsity(o: Outcomes) -> Finding:
    """P4."""
    numbers: Numbers = {}
    holding = []
    for panel in panels(o.quick):
        rivals = ((PEPPER, "PEPPER"), ("pepper/fedavg", "FedAvg"))
        if not all(
            there(o, ML, recipe, panel=panel, data__density=d)
            for recipe, _ in rivals
            for d in ("dense", "sparse")
        ):
            continue  # not finished
        lost = {}
        for recipe, name in rivals:
            dense, sparse = (
                mean(o, "hr@20", ML, recipe, panel=panel, data__density=d) for d in ("dense", "sparse")
            )
            lost[name] = numbers[f"{panel.title}: {name}, HR@20 dense less sparse"] = dense - sparse
        holding.append(lost["PEPPER"] < lost["FedAvg"] - LEVEL)
    sentence = tell("PEPPER loses less than FedAvg (all clients alike) from dense to sparse", holding)
    return Finding(verdict(holding), f"{sentence} (PEPPER and FedAvg lose {listed(numbers)})", numbers)


def forty_percent_is_best(o: Outcomes) -> Finding:
    """P5."""
    numbers: Numbers = {}
    holding, told = [], []
    for panel in panels(o.quick):
        found = {
            a: mean(o, "hr@20", ML, PEPPER, panel=panel, alpha=a)
            for a in ALPHAS
            if there(o, ML, PEPPER, panel=panel, alpha=a)
        }
        ends = [found[a] for a in (0.0, 1.0) if a in found]
        if len(found) < (3 if o.quick else len(ALPHAS)) or 0.4 not in found:
            continue  # not finished
        numbers |= {f"{panel.title}: alpha {a:g}": value for a, value in found.items()}
        holding.append(found[0.4] >= max(found.values()) - LEVEL and found[0.4] > max(ends) + LEVEL)
        told.append(", ".join(f"{value:.3f} at {a:g}" for a, value in found.items()))
    sentence = tell("alpha 0.4 is best, and 0 and 1 are worse", holding)
    return Finding(verdict(holding), f"{sentence} (HR@20 {'; '.join(told)})", numbers)


def _short_tail_on_movielens(o: Outcomes) -> Numbers:
    """PEPPER's 10th percentile less the best federated one's."""
    numbers, where, _ = _against(o, FEDERATED, " p10")
    return {name: gain for (name, gain), data in zip(numbers.items(), where, strict=True) if data == ML}


def a_tail_above_the_federated(o: Outcomes) -> Finding:
    """P3c."""
    numbers = _short_tail_on_movielens(o)
    won = [gain is not None and gain > LEVEL for gain in numbers.values()]
    sentence = tell("the 10th percentile is above all federated ones'", won)
    return Finding(verdict(won), f"{sentence}{_range(numbers)}", numbers)


def a_tail_below_the_federated(o: Outcomes) -> Finding:
    """P3f."""
    numbers = _short_tail_on_movielens(o)
    lost = [gain is not None and gain < -LEVEL for gain in numbers.values()]
    sentence = tell("the 10th percentile is below the best federated one's", lost)
    return Finding(verdict(lost), f"{sentence}{_range(numbers)}", numbers)


def never_exploring_is_worse(o: Outcomes) -> Finding:
    """P5b."""
    numbers: Numbers = {}
    holding = []
    for panel in panels(o.quick):
        if all(there(o, ML, PEPPER, panel=panel, alpha=a) for a in (0.0, 1.0)):
            none, always = (mean(o, "hr@20", ML, PEPPER, panel=panel, alpha=a) for a in (0.0, 1.0))
            numbers |= {f"{panel.title}: alpha 0": none, f"{panel.title}: alpha 1": always}
            holding.append(always > none + LEVEL)
    sentence = tell("alpha 1 does better than alpha 0", holding)
    return Finding(verdict(holding), f"{sentence} (HR@20 at 0 and 1: {listed(numbers)})", numbers)


def a_long_tail_above_the_federated(o: Outcomes) -> Finding:
    """P3e: on check-ins."""
    numbers, where, ahead = _against(o, FEDERATED, " p25")
    kept = {name: gain for (name, gain), data in zip(numbers.items(), where, strict=True) if data != ML}
    won = [ahead for ahead, data in zip(ahead, where, strict=True) if data != ML]
    sentence = tell("the 25th percentile is above all federated ones'", won)
    return Finding(verdict(won), f"{sentence}{_range(kept)}", kept)


def tail_three_times_fedavgs(o: Outcomes) -> Finding:
    """P8: the paper reads its tail where the distribution function is 0.1."""
    numbers: Numbers = {}
    holding = []
    for panel in panels(o.quick):
        if not all(there(o, NYC, r, panel=panel) for r in (PEPPER, "pepper/fedavg")):
            continue
        own, other = (mean(o, "hr@20 p10", NYC, r, panel=panel) for r in (PEPPER, "pepper/fedavg"))
        numbers[f"{panel.title}: PEPPER, HR@20 p10"] = own
        numbers[f"{panel.title}: FedAvg, HR@20 p10"] = other
        holding.append(own > LEVEL and own >= THREE * other)
    sentence = tell(
        f"PEPPER's 10th percentile is {THREE:g} times FedAvg's (all clients alike) or more", holding
    )
    return Finding(verdict(holding), f"{sentence} (PEPPER's and FedAvg's: {listed(numbers)})", numbers)


def _direction(gain: float) -> int:
    """1 for a gain, -1 for a loss, 0 for level."""
    return (gain > LEVEL) - (gain < -LEVEL)


def both_metrics_move_together(o: Outcomes) -> Finding:
    """P10: the gap to the best decentralized rival by HR, which models are weighed by, and by NDCG."""
    numbers: Numbers = {}
    holding, gaining = [], []
    for case in cases(o.quick, "gmf"):
        if not case.there(o, PEPPER, *COMPETITORS):
            continue
        for k in KS:
            gains = []
            for name in (f"hr@{k}", f"ndcg@{k}"):
                best = max(case.mean(o, name, r) for r in COMPETITORS)
                gains.append(case.mean(o, name, PEPPER) - best)
                numbers[f"{TITLES[case.data]}, {case.setting}: {name}"] = gains[-1]
            holding.append(_direction(gains[0]) == _direction(gains[1]))
            gaining.append(gains[0] > LEVEL)
    sentence = tell("HR and NDCG are ahead, level or behind together", holding)
    sentence += f"; HR gains in {sum(gaining)} of them"
    return Finding(verdict(holding), sentence, numbers)


_CHECK_INS, _DENSE = ("table-2", "table-6", "table-7", "visits"), "table-4"
_KNOWN = "Cases of PRME-G include those where held-out visits to known places count"
"""What a claim says that has the runs of `visits` among its cases."""
_SPREADS = ("figure-4", "figure-5", "figure-6")


def _up_to(printed: str) -> str:
    """How P14 is measured; `printed`: the largest gains in the paper's tables."""
    return (
        "the largest gain over any decentralized competitor, at a K of 20, 10 or 5, is at most "
        f"{NEAR_GAIN} below the paper's. Its percents are points: the largest gains in its tables are {printed}"
    )


CLAIMS = (
    Claim(
        "P1",
        "PEPPER beats all decentralized competitors on average",
        "section 5.5.1, tables 2 to 7",
        f"mean HR (GMF) or F1 (PRME-G) above the best competitor's by more than {LEVEL}. A case has a K of 20, 10 or "
        f'5: "we evaluate the average top-K recommendation quality where K is 5, 10 and 20". {_KNOWN}. NDCG is in P10',
        (*_CHECK_INS, _DENSE),
        beats_decentralized,
    ),
    Claim(
        "P2a",
        "PEPPER beats federated algorithms on sparse check-ins",
        "section 5.5.1, tables 2, 3, 6, 7",
        f"the same against FedAvg (all clients alike), Reptile and FedFast, by more than {LEVEL}. F1@20 on Foursquare-"
        'NYC is left out, as in the text: "in most cases except for the F1@20 on Foursquare". Of Gowalla it says "for '
        f'all values of K". {_KNOWN}',
        _CHECK_INS,
        beats_federated_where_sparse,
    ),
    Claim(
        "P2b",
        "On dense MovieLens-100K PEPPER is usually behind federated algorithms",
        "section 5.5.1, tables 4, 5",
        f"HR below that of the best of FedAvg (all clients alike), Reptile and FedFast by more than {LEVEL}. A case "
        "has a K of 20, 10 or 5, as in table 4",
        (_DENSE,),
        behind_where_dense,
    ),
    Claim(
        "P3a",
        "PEPPER has better tails than decentralized competitors",
        "section 5.5.2, figures 4 to 6",
        f"the 10th percentile over users (where the distribution function is 0.1) above the best competitor's by more "
        f"than {LEVEL}. K is 20, as in the figures. {_KNOWN}",
        (*_CHECK_INS, _DENSE),
        better_tenth,
        cites=_SPREADS,
    ),
    Claim(
        "P3b",
        "With PEPPER fewer users get nothing than with decentralized competitors (our reading of figures 4 and 5)",
        "section 5.5.2, figures 4 and 5",
        f"GMF: the share of users at zero, lower than the best competitor's by more than {LEVEL}. No sentence counts "
        'such users. With PRME-G the score of "all decentralized solutions tends towards zero", so it is left out',
        ("table-2", _DENSE),
        fewer_without_a_hit,
        cites=("figure-4", "figure-5"),
    ),
    Claim(
        "P3c",
        "On MovieLens-100K PEPPER slightly improves the short tail over federated algorithms",
        "section 5.5.2, figure 5",
        f"the 10th percentile over users above the best of FedAvg, Reptile and FedFast by more than {LEVEL}. The text "
        'says "99.9th percentile", and that its 99th is where the distribution function is 0.1. P3f is the opposite, '
        "from the same section",
        (_DENSE,),
        a_tail_above_the_federated,
        cites=("figure-5",),
    ),
    Claim(
        "P3d",
        "PEPPER improves the long tail by up to 21 % over decentralized competitors",
        "abstract; section 5.5.2, figures 4 to 6",
        "the paper's long tail is its 60th to 85th percentile, and it counts from the best; so the 25th over users. "
        "Its percents are points, as in 9 % for HR@20. The largest gain over any competitor is "
        f"{LONG_TAIL - NEAR_21:.2f} or more. The conclusion says 30 %. {_KNOWN}",
        (*_CHECK_INS, _DENSE),
        the_long_tail_gains,
        cites=_SPREADS,
    ),
    Claim(
        "P3e",
        "On check-ins PEPPER improves the long tail over federated algorithms",
        "section 5.5.2, figures 4 and 6",
        f"the 25th percentile over users, above the best of FedAvg, Reptile and FedFast by more than {LEVEL}. {_KNOWN}",
        _CHECK_INS,
        a_long_tail_above_the_federated,
        cites=("figure-4", "figure-6"),
    ),
    Claim(
        "P3f",
        "On MovieLens-100K federated algorithms are ahead on the short tail",
        "section 5.5.2, figure 5",
        f"the 10th percentile over users below the best of FedAvg, Reptile and FedFast by more than {LEVEL}. The text "
        "says it of the long tail, too",
        (_DENSE,),
        a_tail_below_the_federated,
        cites=("figure-5",),
    ),
    Claim(
        "P4",
        "PEPPER is more robust to sparsity than FedAvg",
        "section 5.5.3, figure 7",
        f"what HR@20 loses from the dense to the sparse users, less than FedAvg's by more than {LEVEL}; FedAvg with "
        "all clients alike",
        ("figure-7",),
        robust_to_sparsity,
    ),
    Claim(
        "P5",
        "alpha = 0.4 is best; 0 and 1 are worse",
        "section 5.5.4, figure 8",
        f"HR@20 on MovieLens-100K; level within {LEVEL}",
        ("figure-8",),
        forty_percent_is_best,
    ),
    Claim(
        "P5b",
        "Always exploring (alpha 1) gives better models than never (alpha 0)",
        "section 5.5.4, figure 8",
        f"HR@20 on MovieLens-100K, higher by more than {LEVEL}",
        ("figure-8",),
        never_exploring_is_worse,
    ),
    *ROUND_CLAIMS,
    Claim(
        "P8",
        "On Foursquare PEPPER's tail is about three times that of federated FedAvg",
        "section 5.5.2, figure 4a",
        f"the 10th percentile over users of HR@20 (where the distribution function is 0.1): {THREE:g} times FedAvg's "
        'or more, and not 0. FedAvg has all clients alike. The text says "99.9th percentile", and that its 99th is '
        "where the distribution function is 0.1",
        ("table-2",),
        tail_three_times_fedavgs,
        cites=("figure-4",),
    ),
    TWO_GROUPS,
    Claim(
        "P10",
        "PEPPER weighs models by HR and does not privilege recall over the quality of the ranking",
        "section 5.5.1, tables 2 to 5",
        "HR and NDCG go the same way against the best decentralized competitor: ahead, behind, or level within "
        f'{LEVEL}. A case has a K of 20, 10 or 5: "the results for different values of K and two different metrics". '
        "Models are weighed by HR@20",
        ("table-2", "table-4"),
        both_metrics_move_together,
        cites=("table-3", "table-5"),
    ),
    Claim(
        "P11",
        "On Foursquare PEPPER gains 8.93 points of HR@20 and 4.35 of NDCG@20 over Decentralized FedAvg",
        "section 5.5.1, tables 2, 3",
        f"the gains, at most {NEAR_GAIN} below the paper's",
        ("table-2",),
        beats_decentralized_averaging,
        cites=("table-3",),
    ),
    Claim(
        "P12",
        "On MovieLens-100K FedFast is the best federated algorithm",
        "section 5.5.1, tables 4, 5",
        f"HR@20 above FedAvg's (all clients alike) and Reptile's by more than {LEVEL}; private vectors, since "
        "FedFast's never travel",
        (_DENSE,),
        lambda o: _is_best(o, "pepper/fedfast", FEDERATED, "hr@20", ML, "gmf"),
        cites=("table-5",),
    ),
    Claim(
        "P13",
        "With PRME-G Reptile is best on Foursquare for K = 20",
        "section 5.5.1, table 6",
        f"F1@20 above that of all six others by more than {LEVEL}; FedAvg with all clients alike. {_KNOWN}",
        ("table-6", "visits"),
        lambda o: _is_best(o, "pepper/reptile", ALGORITHMS, "f1@20", NYC, "prme-g"),
    ),
    Claim(
        "P13b",
        "With PRME-G PEPPER outperforms Reptile on Foursquare for other values of K",
        "section 5.5.1, table 6",
        f"F1@10 and F1@5 above Reptile's by more than {LEVEL}. {_KNOWN}",
        ("table-6", "visits"),
        beats_reptile_on_shorter_lists,
    ),
    Claim(
        "P14a",
        "PEPPER improves the mean hit ratio by up to 9 % over decentralized competitors",
        "abstract, section 1, tables 2, 4",
        _up_to("9.1 at K = 20 and 11.3 at 5. The conclusion says 8 %"),
        ("table-2", _DENSE),
        lambda o: _gains_up_to(o, "gmf", "hr"),
    ),
    Claim(
        "P14b",
        "PEPPER improves the mean NDCG by up to 6 % over decentralized competitors",
        "section 1, tables 3, 5",
        _up_to("6.1 at K = 20 and 8.4 at 5"),
        ("table-2", _DENSE),
        lambda o: _gains_up_to(o, "gmf", "ndcg"),
        cites=("table-3", "table-5"),
    ),
    Claim(
        "P14c",
        "PEPPER improves the mean F1 by up to 13 % over decentralized competitors",
        "section 1, tables 6, 7",
        _up_to(f"14.5 at K = 20 and 13.8 at 10. {_KNOWN}"),
        ("table-6", "table-7", "visits"),
        lambda o: _gains_up_to(o, "prme-g", "f1"),
    ),
)
