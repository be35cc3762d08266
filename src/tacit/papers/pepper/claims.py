"""Claims P1 to P10 of PEPPER, and what our runs say. Thresholds are ours."""

from __future__ import annotations

from collections.abc import Iterator

from tacit.papers.base import Claim, Finding, Outcomes, verdict
from tacit.papers.pepper.runs import (
    ALGORITHMS,
    ALPHAS,
    COMPETITORS,
    FEDERATED,
    ML,
    NYC,
    PEPPER,
    TITLES,
    Panel,
    datasets,
    mean,
    mean_of,
    panels,
    there,
    timed,
    with_view,
)

Numbers = dict[str, float | None]
LEVEL = 0.005
"""By how much two means may differ and still be called level."""
HALF = 0.65
"""At most so many times the rounds is about half of them."""
TWICE = (1.5, 2.5)
QUICK_NODES, QUICK_SHARE = 0.21, 0.1
"""The paper's share of nodes that compute less than their rivals', and how far off it may be."""


def _cases(o: Outcomes) -> Iterator[tuple[str, str, Panel, str]]:
    """Every (data, model, panel, metric) that PEPPER was run with."""
    for model, metric in (("gmf", "hr@20"), ("prme-g", "f1@20")):
        for data in datasets(o.quick, model):
            for panel in panels(o.quick, model):
                if there(o, data, PEPPER, model, panel=panel):
                    yield data, model, panel, metric


def _against(
    o: Outcomes, rivals: dict[str, str], what: str, higher: bool = True
) -> tuple[Numbers, list[str], list[bool]]:
    """PEPPER less the best rival, case by case: the numbers, the data sets, and whether PEPPER is ahead."""
    numbers: Numbers = {}
    where, ahead = [], []
    for data, model, panel, metric in _cases(o):
        name = metric + what
        others = [
            mean(o, name, data, r, model, panel=panel)
            for r in rivals
            if there(o, data, r, model, panel=panel)
        ]
        if not others:
            continue
        own = mean(o, name, data, PEPPER, model, panel=panel)
        gain = own - max(others) if higher else min(others) - own
        numbers[f"{TITLES[data]}, {model}, {panel.title}: {name}"] = gain
        where.append(data)
        ahead.append(gain > LEVEL)
    return numbers, where, ahead


def _tell(what: str, ahead: list[bool]) -> str:
    return f"{what} in {sum(ahead)} of {len(ahead)} cases"


def beats_decentralized(o: Outcomes) -> Finding:
    """P1."""
    numbers, _, ahead = _against(o, COMPETITORS, "")
    return Finding(
        verdict(ahead), _tell("PEPPER's mean is above all decentralized competitors'", ahead), numbers
    )


def _against_federated(o: Outcomes, dense: bool) -> tuple[Numbers, list[bool]]:
    """The numbers and whether PEPPER is ahead, on MovieLens-100K (dense) or on check-ins."""
    numbers, where, ahead = _against(o, FEDERATED, "")
    inside = [(data == ML) == dense for data in where]
    kept = {name: number for (name, number), there in zip(numbers.items(), inside, strict=True) if there}
    return kept, [won for won, there in zip(ahead, inside, strict=True) if there]


def beats_federated_where_sparse(o: Outcomes) -> Finding:
    """P2a."""
    numbers, ahead = _against_federated(o, dense=False)
    return Finding(verdict(ahead), _tell("PEPPER is above all federated ones", ahead), numbers)


def not_where_dense(o: Outcomes) -> Finding:
    """P2b."""
    numbers, ahead = _against_federated(o, dense=True)
    behind = [not won for won in ahead]
    return Finding(verdict(behind), _tell("PEPPER is not above all federated ones", behind), numbers)


def better_tenth(o: Outcomes) -> Finding:
    """P3a."""
    numbers, _, ahead = _against(o, COMPETITORS, " p10")
    return Finding(
        verdict(ahead), _tell("the 10th percentile is above all decentralized competitors'", ahead), numbers
    )


def fewer_without_a_hit(o: Outcomes) -> Finding:
    """P3b."""
    numbers, _, ahead = _against(o, COMPETITORS, " zero", higher=False)
    return Finding(verdict(ahead), _tell("fewer users are at zero than with any competitor", ahead), numbers)


def robust_to_sparsity(o: Outcomes) -> Finding:
    """P4."""
    numbers: Numbers = {}
    holding = []
    for panel in panels(o.quick):
        if not there(o, ML, PEPPER, panel=panel, data__density="sparse"):
            continue
        lost = {}
        for recipe, name in ((PEPPER, "PEPPER"), ("pepper/fedavg", "FedAvg")):
            dense, sparse = (
                mean(o, "hr@20", ML, recipe, panel=panel, data__density=d) for d in ("dense", "sparse")
            )
            lost[name] = numbers[f"{panel.title}: {name}, HR@20 dense less sparse"] = dense - sparse
        holding.append(lost["PEPPER"] < lost["FedAvg"] - LEVEL)
    return Finding(
        verdict(holding), _tell("PEPPER loses less than FedAvg from dense to sparse", holding), numbers
    )


def forty_percent_is_best(o: Outcomes) -> Finding:
    """P5."""
    numbers: Numbers = {}
    holding = []
    for panel in panels(o.quick):
        found = {
            a: mean(o, "hr@20", ML, PEPPER, panel=panel, alpha=a)
            for a in ALPHAS
            if there(o, ML, PEPPER, panel=panel, alpha=a)
        }
        if len(found) < 3:
            continue
        numbers |= {f"{panel.title}: alpha {a:g}": value for a, value in found.items()}
        holding.append(
            found[0.4] >= max(found.values()) - LEVEL and found[0.4] > max(found[0.0], found[1.0]) + LEVEL
        )
    return Finding(verdict(holding), _tell("alpha 0.4 is best, and 0 and 1 are worse", holding), numbers)


def _six_over_three(o: Outcomes, metric: str, timing: bool) -> Numbers:
    """A figure with a view of 6 over the same with 3, in each panel that was run."""
    return {
        f"{panel.title}: {metric} with 6 over 3": mean_of(o, with_view(o.quick, panel, 6, timing), metric)
        / mean_of(o, with_view(o.quick, panel, 3, timing), metric)
        for panel in panels(o.quick)
        if with_view(o.quick, panel, 6, timing) in o
    }


def six_peers_halve_the_rounds(o: Outcomes) -> Finding:
    """P6a: by users and by the network's mean."""
    numbers = _six_over_three(o, "rounds_to_convergence", False) | _six_over_three(o, "network_rounds", False)
    holding = [ratio is not None and ratio <= HALF for ratio in numbers.values()]
    return Finding(verdict(holding), _tell(f"view 6 takes at most {HALF} times the rounds", holding), numbers)


def six_peers_double_the_computing(o: Outcomes) -> Finding:
    """P6b: whole runs of equally many rounds."""
    numbers = _six_over_three(o, "seconds", True)
    holding = [ratio is not None and TWICE[0] <= ratio <= TWICE[1] for ratio in numbers.values()]
    sentence = _tell(f"view 6 takes {TWICE[0]:g} to {TWICE[1]:g} times the seconds", holding)
    return Finding(verdict(holding), sentence, numbers)


def fewer_rounds(o: Outcomes) -> Finding:
    """P7: the mean over users, their 99th percentile, and the network's mean."""
    numbers: Numbers = {}
    holding = []
    for panel in panels(o.quick):
        if not there(o, ML, "pepper/model-age", panel=panel):
            continue
        for metric in ("rounds_to_convergence", "rounds_to_convergence p99", "network_rounds"):
            own = mean(o, metric, ML, PEPPER, panel=panel)
            for recipe in ("pepper/model-age", "pepper/dec-reptile"):
                other = mean(o, metric, ML, recipe, panel=panel)
                numbers[f"{panel.title}: {metric}, fewer than {COMPETITORS[recipe]} by"] = other - own
                holding.append(own < other)
    return Finding(verdict(holding), _tell("PEPPER converges in fewer rounds", holding), numbers)


def tail_three_times_fedavgs(o: Outcomes) -> Finding:
    """P8: the paper reads its tail where the distribution function is 0.1."""
    numbers: Numbers = {}
    holding = []
    for panel in panels(o.quick):
        if not there(o, NYC, PEPPER, panel=panel):
            continue
        own, other = (mean(o, "hr@20 p10", NYC, r, panel=panel) for r in (PEPPER, "pepper/fedavg"))
        numbers[f"{panel.title}: PEPPER, HR@20 p10"] = own
        numbers[f"{panel.title}: FedAvg, HR@20 p10"] = other
        holding.append(own > LEVEL and own >= 2 * other)
    return Finding(
        verdict(holding), _tell("PEPPER's 10th percentile is twice FedAvg's or more", holding), numbers
    )


def two_groups_of_nodes(o: Outcomes) -> Finding:
    """P9: the share of PEPPER's nodes that compute less than half of the rivals' do, until convergence."""
    numbers: Numbers = {}
    holding = []
    for panel in panels(o.quick):
        if any(timed(o.quick, panel, r) not in o for r in (PEPPER, *COMPETITORS)):
            continue
        own = o[timed(o.quick, panel, PEPPER)][0].per_user["seconds_to_convergence"]
        for recipe in ("pepper/model-age", "pepper/dec-reptile"):
            rival = mean_of(o, timed(o.quick, panel, recipe), "seconds_to_convergence p50")
            less = (own.drop_nulls() < rival).mean()
            share = float(less) if isinstance(less, float | int) else float("nan")
            numbers[f"{panel.title}: share of nodes below {COMPETITORS[recipe]}'s median"] = share
            holding.append(abs(share - QUICK_NODES) <= QUICK_SHARE)
    sentence = _tell(f"the share of nodes that compute less is {QUICK_NODES} ± {QUICK_SHARE}", holding)
    return Finding(verdict(holding), sentence, numbers)


def both_metrics_rise(o: Outcomes) -> Finding:
    """P10: PEPPER's place among all algorithms by NDCG@20 is no worse than by HR@20, which it weighs models by."""
    numbers: Numbers = {}
    holding = []
    for data, model, panel, metric in _cases(o):
        if model != "gmf":
            continue
        places = []
        for name in (metric, "ndcg@20"):
            found = {
                r: mean(o, name, data, r, panel=panel) for r in ALGORITHMS if there(o, data, r, panel=panel)
            }
            places.append(1 + sum(value > found[PEPPER] for value in found.values()))
            numbers[f"{TITLES[data]}, {panel.title}: place by {name}"] = places[-1]
        holding.append(places[1] <= places[0])
    return Finding(
        verdict(holding), _tell("the place by NDCG@20 is no worse than by HR@20", holding), numbers
    )


_TABLES = ("table-2", "table-4", "table-6", "table-7")
_ROUNDS = (
    "the first round at which a user's HR@20, averaged over 30 rounds, is at most 0.05 below its plateau (the last "
    "fifth of the run)"
)
CLAIMS = (
    Claim(
        "P1",
        "PEPPER beats all decentralized competitors on average",
        "section 5.5.1, tables 2 to 7",
        f"mean HR@20 (GMF) or F1@20 (PRME-G) above the best competitor's by more than {LEVEL}",
        _TABLES,
        beats_decentralized,
    ),
    Claim(
        "P2a",
        "PEPPER beats federated algorithms on sparse check-ins",
        "section 5.5.1, tables 2, 3, 6, 7",
        f"the same against FedAvg, Reptile and FedFast, by more than {LEVEL}",
        _TABLES,
        beats_federated_where_sparse,
    ),
    Claim(
        "P2b",
        "PEPPER does not beat federated algorithms on dense MovieLens-100K",
        "section 5.5.1, tables 4, 5",
        f"not above the best of FedAvg, Reptile and FedFast by more than {LEVEL}",
        _TABLES,
        not_where_dense,
    ),
    Claim(
        "P3a",
        "PEPPER has better tails than decentralized competitors",
        "section 5.5.2, figures 4 to 6",
        f"the 10th percentile over users (where the distribution function is 0.1) above the best competitor's by more "
        f"than {LEVEL}",
        _TABLES,
        better_tenth,
    ),
    Claim(
        "P3b",
        "With PEPPER fewer users get nothing than with decentralized competitors",
        "section 5.5.2, figures 4 to 6",
        f"the share of users at zero, lower than the best competitor's by more than {LEVEL}",
        _TABLES,
        fewer_without_a_hit,
    ),
    Claim(
        "P4",
        "PEPPER is more robust to sparsity than FedAvg",
        "section 5.5.3, figure 7",
        f"what HR@20 loses from the dense to the sparse users, less than FedAvg's by more than {LEVEL}",
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
        "P6a",
        "With a view of 6, rounds to convergence are about half of those with 3",
        "section 5.5.5, table 8",
        f"at most {HALF} times: {_ROUNDS}; and the round at which the network's mean has 99 % of its plateau",
        ("table-8",),
        six_peers_halve_the_rounds,
    ),
    Claim(
        "P6b",
        "With a view of 6, nodes compute about twice as long as with 3",
        "section 5.5.5, table 8",
        f"seconds of a node over equally many rounds: {TWICE[0]:g} to {TWICE[1]:g} times",
        ("table-8",),
        six_peers_double_the_computing,
    ),
    Claim(
        "P7",
        "PEPPER needs fewer rounds to convergence than its decentralized competitors (42 % at most), most in the tail",
        "section 5.5.6, figure 9b",
        f"mean and 99th percentile over users of {_ROUNDS}; and the network's rounds; against model-age-based gossip "
        "and decentralized Reptile",
        ("figure-9",),
        fewer_rounds,
    ),
    Claim(
        "P8",
        "On Foursquare PEPPER's tail is about three times that of federated FedAvg",
        "section 5.5.2, figure 4a",
        "the 10th percentile over users of HR@20 (where the distribution function is 0.1): twice FedAvg's or more, and "
        "not 0",
        ("table-2",),
        tail_three_times_fedavgs,
    ),
    Claim(
        "P9",
        "PEPPER's nodes form two groups: 21 % compute less than its competitors' nodes, 69 % longer",
        "section 5.5.6, figure 9a",
        "the share of nodes whose seconds until convergence are below a competitor's median: "
        f"{QUICK_NODES} ± {QUICK_SHARE}",
        ("figure-9",),
        two_groups_of_nodes,
    ),
    Claim(
        "P10",
        "PEPPER weighs models by HR and does not do so at the cost of NDCG: both rise together",
        "section 5.5.1, tables 2 to 5",
        "PEPPER's place among the seven algorithms by NDCG@20 is no worse than by HR@20",
        ("table-2", "table-4"),
        both_metrics_rise,
    ),
)
