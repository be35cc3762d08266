"""Claims F4 to F6 and F10 to F13 of FedeRank, and what our runs say. Thresholds are ours."""

from __future__ import annotations

from tacit.papers.base import Claim, Finding, Outcomes, verdict
from tacit.papers.federank.runs import ALGORITHMS, OWN, data
from tacit.papers.pairwise_claims import (
    APART,
    MAGNITUDE,
    NEARLY,
    Numbers,
    a_tenth_is_nearly_enough,
    best_is_not_one,
    better,
    diversity_grows,
    nothing_disclosed_is_random,
    popularity_stays,
    precision,
    updates_are_flat,
)
from tacit.papers.pairwise_runs import BASELINES, TITLES, TUNED, baseline_run, federated_run

GAINS = {"amazon-digital-music": 1.5, "librarything": 1.25}
"""How many times BPR-MF's precision T = X+/U has, by the paper."""
ABOUT = 0.25
"""How far off a gain may be, as a part of BPR-MF's precision, and still be about the paper's."""
REMAINS = {"amazon-digital-music": 0.67, "librarything": 0.88}
"""What T = 1 reaches of BPR-MF's precision, by the paper."""
NEAR = 0.1
MANY, ONE = "FedeRank T=X+/U", "FedeRank T=1"
Compared = dict[str, tuple[float, bool, float]]
"""By data set: P@10 over another's, whether it surely is better, and p."""


def _over(o: Outcomes, algorithm: str, baseline: str = BASELINES["BPR-MF"]) -> Compared:
    found = {}
    for place in data(o.quick):
        own = federated_run(o.quick, OWN[algorithm].recipe, place, OWN[algorithm].pi[place])
        other = baseline_run(o.quick, baseline, place)
        ours, theirs = precision(o, own), precision(o, other)
        if ours is not None and theirs:
            found[place] = ours / theirs, *better(o[own], o[other])
    return found


def _tell(found: Compared, rival: str = "BPR-MF") -> str:
    ratios = ", ".join(f"{TITLES[place]} {ratio:.2f}" for place, (ratio, *_) in found.items())
    return f"P@10 relative to {rival}: {ratios}" if ratios else "not run"


def _tell_both(o: Outcomes, found: Compared) -> str:
    """The tuned BPR-MF is not the paper's, and stands beside it."""
    return f"{_tell(found)}; {_tell(_over(o, MANY, TUNED), 'BPR-MF as we tuned it')}"


def _ratios_and_p(found: Compared, rival: str) -> Numbers:
    numbers: Numbers = {}
    for place, (ratio, _, p) in found.items():
        numbers[f"{TITLES[place]}: P@10 of T = X+/U over {rival}'s"] = ratio
        numbers[f"{TITLES[place]}: p of the paired t test"] = p
    return numbers


def local_computation_pays(o: Outcomes) -> Finding:
    """F5a: T = X+/U against BPR-MF, data set by data set."""
    found = _over(o, MANY)
    holding = [surely == (place in GAINS) for place, (_, surely, _) in found.items()]
    return Finding(verdict(holding), _tell_both(o, found), _ratios_and_p(found, "BPR-MF"))


def it_pays_as_much(o: Outcomes) -> Finding:
    """F5b: by how much, where the paper says so."""
    found = {place: one for place, one in _over(o, MANY).items() if place in GAINS}
    holding = [abs(ratio - GAINS[place]) <= ABOUT for place, (ratio, *_) in found.items()]
    numbers: Numbers = {
        f"{TITLES[place]}: P@10 of T = X+/U over BPR-MF's": ratio for place, (ratio, *_) in found.items()
    }
    return Finding(verdict(holding), _tell_both(o, found), numbers)


def better_than_fcf(o: Outcomes) -> Finding:
    """F13: T = X+/U against FCF."""
    found = _over(o, MANY, BASELINES["FCF"])
    holding = [surely for _, surely, _ in found.values()]
    return Finding(verdict(holding), _tell(found, "FCF"), _ratios_and_p(found, "FCF"))


def one_triple_stays_below(o: Outcomes) -> Finding:
    """F10: T = 1 against BPR-MF."""
    found = {place: one for place, one in _over(o, ONE).items() if place in REMAINS}
    numbers: Numbers = {
        f"{TITLES[place]}: P@10 of T = 1 over BPR-MF's": ratio for place, (ratio, *_) in found.items()
    }
    holding = [abs(ratio - REMAINS[place]) <= NEAR for place, (ratio, *_) in found.items()]
    return Finding(verdict(holding), _tell(found), numbers)


CLAIMS = (
    Claim(
        "F4a",
        "The best pi is rarely 1",
        "section 4.2, figure 1",
        "F1@10 over pi: the best below 1 is above that at 1",
        ("figure-1",),
        lambda o: best_is_not_one(o, data(o.quick), ALGORITHMS),
    ),
    Claim(
        "F4b",
        "pi 0.1 reaches up to 92 % of the best accuracy, and nearly all of it on MovieLens-1M",
        "section 4.2, figure 1",
        f"F1@10 at pi 0.1 is {100 * NEARLY:.0f} % of the best or more",
        ("figure-1",),
        lambda o: a_tenth_is_nearly_enough(o, data(o.quick), ALGORITHMS),
    ),
    Claim(
        "F4c",
        "pi 0 is like random: an order of magnitude worse than 0.1, and covers far more items",
        "section 4.2, figure 1",
        f"P@10 at most a {MAGNITUDE}th of that at pi 0.1, and item coverage above that at pi 1",
        ("figure-1",),
        lambda o: nothing_disclosed_is_random(o, data(o.quick), ALGORITHMS),
    ),
    Claim(
        "F5a",
        "With T = X+/U FedeRank beats BPR-MF on Amazon and LibraryThing, not on MovieLens-1M",
        "section 4.1, table 2",
        "P@10 higher, paired t test over users p < 0.05; on MovieLens-1M not so",
        ("table-2",),
        local_computation_pays,
    ),
    Claim(
        "F5b",
        "It does so by about 50 % (Amazon) and 25 % (LibraryThing)",
        "section 4.1, table 2",
        f"P@10 over BPR-MF's within {ABOUT} of {GAINS['amazon-digital-music']} and {GAINS['librarything']}",
        ("table-2",),
        it_pays_as_much,
    ),
    Claim(
        "F6",
        "For pi above 0 the popularity profile of what is recommended does not depend on pi",
        "section 4.3, figure 3",
        f"total variation between items' sorted shares of recommendations at each pi and at 1: at most {APART}",
        ("figure-3",),
        lambda o: popularity_stays(o, data(o.quick), ALGORITHMS),
    ),
    Claim(
        "F10",
        "With T = 1 FedeRank stays at 67 % (Amazon) and 88 % (LibraryThing) of BPR-MF",
        "section 4.1, table 2",
        f"P@10 over BPR-MF's within {NEAR} of the paper's share",
        ("table-2",),
        one_triple_stays_below,
    ),
    Claim(
        "F11",
        "At pi 0 all items are updated alike",
        "section 4.3, figure 2",
        f"total variation between items' shares of updates and all alike: at most {APART}; T = X+/U",
        ("figure-2",),
        lambda o: updates_are_flat(o, data(o.quick), "federank/tx"),
        quick=True,
    ),
    Claim(
        "F12",
        "Diversity grows with pi from 0.1 to 1",
        "section 4.2, figure 1",
        "item coverage and evenness (the paper's Gini index) are higher at pi 1 than at 0.1",
        ("figure-1",),
        lambda o: diversity_grows(o, data(o.quick), ALGORITHMS),
    ),
    Claim(
        "F13",
        "With T = X+/U FedeRank beats FCF on all data sets",
        "section 4.1, table 2",
        "P@10 higher, paired t test over users p < 0.05",
        ("table-2",),
        better_than_fcf,
    ),
)
