"""Claims H1 to H7 of Hegedűs et al., and what our runs say. Thresholds are ours: the paper argues from curves."""

from __future__ import annotations

import statistics
from collections.abc import Iterable
from itertools import product

from tacit.experiment.result import Result
from tacit.papers.base import Claim, Finding, Outcomes, verdict
from tacit.papers.hegedus.runs import (
    ALGORITHMS,
    CHURN_HIGH,
    CHURN_LOW,
    EPOCHS,
    QUIET,
    TITLES,
    datasets,
    wanted,
)
from tacit.papers.read_curves import at, bytes_until, mean_ending, points

SAME = 0.01
"""RMSE by which two curves may differ and still be called level."""
DRAMATIC = 0.03
COMPARABLE = 0.03
FEW_HOURS = 10.0
RIVALS = (("hegedus/gossip-merge", "hegedus/federated"), ("hegedus/gossip-10", "hegedus/federated-10"))
Numbers = dict[str, float | None]


def _runs(o: Outcomes, data: str, recipe: str, epochs: int, scenario: str = QUIET) -> list[Result]:
    return o[wanted(o.quick, data, recipe, epochs, scenario)]


def _case(data: str, *words: object) -> str:
    return ", ".join([TITLES[data], *(str(word) for word in words)])


def _epochs(count: int) -> str:
    return f"{count} epoch{'' if count == 1 else 's'}"


def _tell(what: str, holding: Iterable[bool]) -> str:
    cases = list(holding)
    return f"{what} in {sum(cases)} of {len(cases)} cases"


def more_epochs_are_faster(o: Outcomes) -> Finding:
    """H1: bytes until both reach the worse one's best RMSE."""
    numbers: Numbers = {}
    holding, ratios = [], []
    for data, recipe in product(datasets(o.quick), ALGORITHMS):
        found = []
        for one, ten in zip(*(_runs(o, data, recipe, epochs) for epochs in EPOCHS), strict=True):
            target = max(min(y for _, y in points(run)) for run in (one, ten))
            first, second = bytes_until(one, target), bytes_until(ten, target)
            if first is not None and second:
                found.append(first / second)
        ratio = statistics.fmean(found)
        numbers[_case(data, ALGORITHMS[recipe], "bytes at 1 epoch / at 10")] = ratio
        ratios.append(ratio)
        holding.append(ratio > 1)
    sentence = _tell("10 epochs need fewer bytes", holding)
    sentence += f" (one epoch needs {min(ratios):.1f} to {max(ratios):.1f} times as many)"
    return Finding(verdict(holding), sentence, numbers)


def a_tenth_beats_all(o: Outcomes) -> Finding:
    """H2: end of the 10 % variants against the uncompressed ones."""
    numbers: Numbers = {}
    pairs = (("hegedus/gossip-merge", "hegedus/gossip-10"), ("hegedus/federated", "hegedus/federated-10"))
    for data, epochs, (whole, tenth) in product(datasets(o.quick), EPOCHS, pairs):
        gain = mean_ending(_runs(o, data, whole, epochs)) - mean_ending(_runs(o, data, tenth, epochs))
        numbers[_case(data, ALGORITHMS[whole], _epochs(epochs), "RMSE gained by 10 %")] = gain
    holding = [gain is not None and gain > 0 for gain in numbers.values()]
    return Finding(verdict(holding), _tell("the 10 % variant ends lower", holding), numbers)


def the_lead_is_soon_gone(o: Outcomes) -> Finding:
    """H3: when the federated curve stops leading by more than SAME for good."""
    numbers: Numbers = {}
    holding = []
    for data, epochs, (gossip, federated) in product(datasets(o.quick), EPOCHS, RIVALS):
        a, b = _runs(o, data, gossip, epochs), _runs(o, data, federated, epochs)
        lead = [
            statistics.fmean(at(x, hour) - at(y, hour) for x, y in zip(a, b, strict=True))
            for hour in range(1, 49)
        ]
        gone = next((hour for hour in range(1, 49) if all(left <= SAME for left in lead[hour - 1 :])), None)
        name = _case(data, ALGORITHMS[gossip], _epochs(epochs))
        numbers[f"{name}: federated's largest lead in the first {FEW_HOURS:.0f} h"] = max(
            lead[: int(FEW_HOURS)]
        )
        numbers[f"{name}: hours until the lead is gone"] = gone
        holding.append(max(lead[: int(FEW_HOURS)]) > SAME and gone is not None and gone <= FEW_HOURS)
    sentence = _tell(f"federated leads at first and no longer after {FEW_HOURS:.0f} hours", holding)
    return Finding(verdict(holding), sentence, numbers)


def larger_networks_differ_less(o: Outcomes) -> Finding:
    """H4: |gossip - federated| at the end, smaller against larger network."""
    if len(datasets(o.quick)) < 2:
        return Finding("not checked", "needs two networks (without --quick)")
    numbers: Numbers = {}
    holding = []
    for epochs, (gossip, federated) in product(EPOCHS, RIVALS):
        gaps = []
        for data in datasets(o.quick):
            ends = [mean_ending(_runs(o, data, recipe, epochs)) for recipe in (gossip, federated)]
            gaps.append(abs(ends[0] - ends[1]))
            numbers[_case(data, ALGORITHMS[gossip], _epochs(epochs), "RMSE apart")] = gaps[-1]
        holding.append(gaps[-1] < gaps[0])
    return Finding(verdict(holding), _tell("the larger network's difference is smaller", holding), numbers)


def gossip_ends_ahead(o: Outcomes) -> Finding:
    """H5: with one epoch, the best gossip against the best federated variant."""
    numbers: Numbers = {}
    leads = []
    for data in datasets(o.quick):
        ends = {recipe: mean_ending(_runs(o, data, recipe, 1)) for recipe in ALGORITHMS}
        best = [
            min(end for recipe, end in ends.items() if kind in recipe) for kind in ("gossip", "federated")
        ]
        leads.append(best[1] - best[0])
        numbers[_case(data, "RMSE by which gossip is ahead")] = leads[-1]
    ahead = [lead > 0 for lead in leads]
    sentence = _tell("gossip ends ahead", ahead)
    if len(leads) < 2:
        return Finding(
            verdict(ahead), f"{sentence}; one network only, so not whether most on the largest", numbers
        )
    grows = leads[-1] > leads[0]
    sentence += f"; its lead is {'larger' if grows else 'not larger'} on the larger network"
    return Finding(verdict([*ahead, grows]), sentence, numbers)


def bandwidth_helps(o: Outcomes) -> Finding:
    """H6: end under churn at low against high bandwidth."""
    numbers: Numbers = {}
    for data, recipe, epochs in product(datasets(o.quick), ALGORITHMS, EPOCHS):
        low, high = (mean_ending(_runs(o, data, recipe, epochs, s)) for s in (CHURN_LOW, CHURN_HIGH))
        numbers[_case(data, ALGORITHMS[recipe], _epochs(epochs), "RMSE gained")] = low - high
    gains = [gain for gain in numbers.values() if gain is not None]
    holding = [gain >= DRAMATIC for gain in gains]
    sentence = f"{_tell(f'RMSE falls by {DRAMATIC} or more', holding)} ({min(gains):.3f} to {max(gains):.3f})"
    return Finding(verdict(holding), sentence, numbers)


def comparable_under_churn(o: Outcomes) -> Finding:
    """H7: the best gossip variant is not behind the best federated one by more than COMPARABLE."""
    numbers: Numbers = {}
    for data, epochs, scenario in product(datasets(o.quick), EPOCHS, (CHURN_LOW, CHURN_HIGH)):
        ends = {recipe: mean_ending(_runs(o, data, recipe, epochs, scenario)) for recipe in ALGORITHMS}
        best = [
            min(end for recipe, end in ends.items() if kind in recipe) for kind in ("gossip", "federated")
        ]
        numbers[_case(data, scenario, _epochs(epochs), "RMSE of gossip minus federated")] = best[0] - best[1]
    gaps = [gap for gap in numbers.values() if gap is not None]
    sentence = _tell(f"gossip is at most {COMPARABLE} behind", [gap <= COMPARABLE for gap in gaps])
    sentence += f"; it is ahead in {sum(gap < 0 for gap in gaps)}"
    return Finding(verdict([gap <= COMPARABLE for gap in gaps]), sentence, numbers)


CLAIMS = (
    Claim(
        "H1",
        "Ten local epochs converge faster per byte than one",
        "bytes sent until both reach the best RMSE of the worse one; no churn",
        ("figure-3",),
        more_epochs_are_faster,
    ),
    Claim(
        "H2",
        "The variants that send 10 % beat the uncompressed ones, by gossip and by federation",
        "mean RMSE of the last two virtual hours; no churn",
        ("figure-3",),
        a_tenth_beats_all,
    ),
    Claim(
        "H3",
        "Federated learning leads at first; the lead is gone after a few hours",
        f"a lead of more than {SAME} in the first {FEW_HOURS:.0f} hours, and never again after them; no churn",
        ("figure-3",),
        the_lead_is_soon_gone,
    ),
    Claim(
        "H4",
        "The difference between gossip and federation shrinks as the network grows",
        "RMSE apart in the last two virtual hours, MovieLens-100K against MovieLens-1M; no churn",
        ("figure-3",),
        larger_networks_differ_less,
    ),
    Claim(
        "H5",
        "With one local epoch gossip ends ahead of federation, most on the largest network",
        "best variant of each in the last two virtual hours; no churn",
        ("figure-3",),
        gossip_ends_ahead,
    ),
    Claim(
        "H6",
        "Under churn, ten times faster transfers help dramatically",
        f"dramatic: RMSE lower by {DRAMATIC} or more in the last two virtual hours",
        ("figure-4",),
        bandwidth_helps,
    ),
    Claim(
        "H7",
        "Overall gossip is comparable to federation under churn",
        f"comparable: the best gossip variant is at most {COMPARABLE} behind in the last two virtual hours",
        ("figure-4",),
        comparable_under_churn,
    ),
)
