"""Claims P1 to P7 of PEPPER, and what our runs say. Thresholds are ours."""

from __future__ import annotations

from collections.abc import Iterator

from tacit.papers.base import Claim, Finding, Outcomes, verdict
from tacit.papers.pepper.runs import (
    ALPHAS,
    COMPETITORS,
    FEDERATED,
    ML,
    PEPPER,
    TITLES,
    Panel,
    datasets,
    mean,
    mean_of,
    panels,
    there,
    with_view,
)

Numbers = dict[str, float | None]
LEVEL = 0.005
"""By how much two means may differ and still be called level."""


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


def beats_federated_where_sparse(o: Outcomes) -> Finding:
    """P2."""
    numbers, where, ahead = _against(o, FEDERATED, "")
    holding = [won != (data == ML) for data, won in zip(where, ahead, strict=True)]
    sparse = [won for data, won in zip(where, ahead, strict=True) if data != ML]
    dense = [won for data, won in zip(where, ahead, strict=True) if data == ML]
    sentence = f"{_tell('PEPPER is above all federated ones', sparse)} on check-ins, "
    sentence += f"in {sum(dense)} of {len(dense)} on ML-100K"
    return Finding(verdict(holding), sentence, numbers)


def better_tails(o: Outcomes) -> Finding:
    """P3."""
    low, _, first = _against(o, COMPETITORS, " p10")
    none, _, second = _against(o, COMPETITORS, " zero", higher=False)
    sentence = _tell("the 10th percentile is above all decentralized competitors'", first)
    sentence += "; " + _tell("fewer users are at zero", second)
    return Finding(verdict([*first, *second]), sentence, {**low, **none})


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


def six_peers_halve_the_rounds(o: Outcomes) -> Finding:
    """P6."""
    if o.quick:
        return Finding("not checked", "needs whole runs (without --quick)")
    numbers: Numbers = {}
    holding = []
    for panel in panels(o.quick):
        if with_view(o.quick, panel, 6) not in o:
            continue
        rounds, seconds = (
            mean_of(o, with_view(o.quick, panel, 6, timed), metric)
            / mean_of(o, with_view(o.quick, panel, 3, timed), metric)
            for metric, timed in (("rounds_to_convergence", False), ("seconds", True))
        )
        numbers[f"{panel.title}: rounds with 6 over 3"] = rounds
        numbers[f"{panel.title}: seconds with 6 over 3"] = seconds
        holding.append(rounds <= 0.65 and 1.5 <= seconds <= 2.5)
    return Finding(
        verdict(holding),
        _tell("view 6 takes about half the rounds and twice the computing", holding),
        numbers,
    )


def fewer_rounds(o: Outcomes) -> Finding:
    """P7."""
    if o.quick:
        return Finding("not checked", "needs whole runs (without --quick)")
    numbers: Numbers = {}
    holding = []
    for panel in panels(o.quick):
        if not there(o, ML, "pepper/model-age", panel=panel):
            continue
        own = mean(o, "rounds_to_convergence", ML, PEPPER, panel=panel)
        for recipe in ("pepper/model-age", "pepper/dec-reptile"):
            other = mean(o, "rounds_to_convergence", ML, recipe, panel=panel)
            numbers[f"{panel.title}: fewer than {COMPETITORS[recipe]} by"] = 1 - own / other
            holding.append(own < other)
    return Finding(verdict(holding), _tell("PEPPER's users converge in fewer rounds", holding), numbers)


_TABLES = ("table-2", "table-4", "table-6")
CLAIMS = (
    Claim(
        "P1",
        "PEPPER beats all decentralized competitors on average.",
        f"mean HR@20 (GMF) or F1@20 (PRME-G) above the best competitor's by more than {LEVEL}",
        _TABLES,
        beats_decentralized,
    ),
    Claim(
        "P2",
        "PEPPER beats federated algorithms on sparse data, not on dense MovieLens-100K.",
        f"the same against FedAvg, Reptile and FedFast: by more than {LEVEL} on check-ins, not on MovieLens-100K",
        _TABLES,
        beats_federated_where_sparse,
    ),
    Claim(
        "P3",
        "PEPPER has better tails than decentralized competitors.",
        "the 10th percentile over users, and the share of users at zero, against the best competitor's",
        _TABLES,
        better_tails,
    ),
    Claim(
        "P4",
        "PEPPER is robust to sparsity.",
        "what HR@20 loses from the dense to the sparse users, against FedAvg",
        ("figure-7",),
        robust_to_sparsity,
    ),
    Claim(
        "P5",
        "alpha = 0.4 is best; 0 and 1 are worse.",
        f"HR@20 on MovieLens-100K; level within {LEVEL}",
        ("figure-8",),
        forty_percent_is_best,
    ),
    Claim(
        "P6",
        "With a view of 6, rounds to convergence are about half of those with 3, computing about twice.",
        "ratios of the means over users: rounds at most 0.65, seconds 1.5 to 2.5",
        ("table-8",),
        six_peers_halve_the_rounds,
    ),
    Claim(
        "P7",
        "PEPPER needs up to 42 % fewer rounds to convergence than its decentralized competitors.",
        "mean rounds to convergence against model-age-based gossip and decentralized Reptile",
        ("figure-9",),
        fewer_rounds,
    ),
)
