"""Claims H1 to H9 of Hegedűs et al., and what our runs say. Thresholds are ours: the paper argues from curves.

All are judged where the paper's figures end, at 24 virtual hours. Gossip is compared with its own kind of federated
learning: merging with uncompressed, a tenth of the rows with a tenth of the rows.
"""

from __future__ import annotations

import statistics
from itertools import product

from tacit.experiment.result import Result
from tacit.papers.base import NOT_CHECKED, Claim, Finding, Numbers, Outcomes, tell, verdict
from tacit.papers.hegedus.runs import (
    ALGORITHMS,
    CHURN_HIGH,
    CHURN_LOW,
    EPOCHS,
    PAPER_HOURS,
    QUIET,
    TITLES,
    networks,
    wanted,
)
from tacit.papers.read_curves import at, best, bytes_until, mean_ending

SAME = 0.01
"""RMSE by which two curves may differ and still be called level: ahead, lower and larger mean by more than this."""
DRAMATIC = 0.1
"""RMSE: several times what separates the algorithms."""
COMPARABLE = 0.03
FEW_HOURS = 6
RIVALS = (("hegedus/gossip-merge", "hegedus/federated"), ("hegedus/gossip-10", "hegedus/federated-10"))
CHURN = (CHURN_LOW, CHURN_HIGH)
COMPRESSED = (("hegedus/gossip-merge", "hegedus/gossip-10"), ("hegedus/federated", "hegedus/federated-10"))
_MINUS = "RMSE of gossip minus federated"


def _runs(o: Outcomes, data: str, recipe: str, epochs: int, scenario: str = QUIET) -> list[Result]:
    return o[wanted(o.quick, data, recipe, epochs, scenario)]


def _end(o: Outcomes, data: str, recipe: str, epochs: int, scenario: str = QUIET) -> float:
    """RMSE where the paper's curves end."""
    return mean_ending(_runs(o, data, recipe, epochs, scenario), PAPER_HOURS)


def _case(data: str, *words: object) -> str:
    return ", ".join([TITLES[data], *(str(word) for word in words)])


def _epochs(count: int) -> str:
    return f"{count} epoch{'' if count == 1 else 's'}"


def _numbers(numbers: Numbers) -> list[float]:
    return [number for number in numbers.values() if number is not None]


def more_epochs_are_faster(o: Outcomes) -> Finding:
    """H1: bytes until both reach the worse one's best RMSE."""
    numbers: Numbers = {}
    for data, recipe in product(networks(o, epochs=EPOCHS), ALGORITHMS):
        found = []
        for one, ten in zip(*(_runs(o, data, recipe, epochs) for epochs in EPOCHS), strict=True):
            target = max(best(run, PAPER_HOURS) for run in (one, ten))
            first, second = bytes_until(one, target), bytes_until(ten, target)
            if first is not None and second:
                found.append(first / second)
        numbers[_case(data, ALGORITHMS[recipe], "bytes at 1 epoch / at 10")] = statistics.fmean(found)
    ratios = _numbers(numbers)
    holding = [ratio > 1 for ratio in ratios]
    sentence = tell("10 epochs need fewer bytes", holding)
    sentence += f" (one epoch needs {min(ratios):.1f} to {max(ratios):.1f} times as many)"
    return Finding(verdict(holding), sentence, numbers)


def a_tenth_beats_all(o: Outcomes) -> Finding:
    """H2: end of the 10 % variants against the uncompressed ones."""
    numbers: Numbers = {}
    for data, epochs, (whole, tenth) in product(networks(o, epochs=EPOCHS), EPOCHS, COMPRESSED):
        gain = _end(o, data, whole, epochs) - _end(o, data, tenth, epochs)
        numbers[_case(data, ALGORITHMS[whole], _epochs(epochs), "RMSE gained by 10 %")] = gain
    holding = [gain > SAME for gain in _numbers(numbers)]
    return Finding(
        verdict(holding), tell(f"the 10 % variant ends lower by more than {SAME}", holding), numbers
    )


def the_lead_is_soon_gone(o: Outcomes) -> Finding:
    """H3: when the federated curve stops leading by more than SAME for good."""
    numbers: Numbers = {}
    holding = []
    hours = range(1, int(PAPER_HOURS) + 1)
    for data, epochs, (gossip, federated) in product(networks(o, epochs=EPOCHS), EPOCHS, RIVALS):
        a, b = _runs(o, data, gossip, epochs), _runs(o, data, federated, epochs)
        lead = [
            statistics.fmean(at(x, hour) - at(y, hour) for x, y in zip(a, b, strict=True)) for hour in hours
        ]
        gone = next((hour for hour in hours if all(left <= SAME for left in lead[hour - 1 :])), None)
        largest = max(lead[:FEW_HOURS])
        name = _case(data, ALGORITHMS[gossip], _epochs(epochs))
        numbers[f"{name}: federated's largest lead in the first {FEW_HOURS} h"] = largest
        numbers[f"{name}: hours until the lead is gone"] = gone
        holding.append(largest > SAME and gone is not None and gone <= FEW_HOURS)
    sentence = tell(f"federated leads at first and no longer after {FEW_HOURS} hours", holding)
    return Finding(verdict(holding), sentence, numbers)


def larger_networks_differ_less(o: Outcomes) -> Finding:
    """H4: |gossip - federated| at the end of ten epochs, the smallest against the largest network."""
    sizes = networks(o, epochs=(10,))
    if len(sizes) < 2:
        return Finding(NOT_CHECKED, "needs two networks (without --quick)")
    numbers: Numbers = {}
    holding = []
    for gossip, federated in RIVALS:
        gaps = []
        for data in sizes:
            gaps.append(abs(_end(o, data, gossip, 10) - _end(o, data, federated, 10)))
            numbers[_case(data, ALGORITHMS[gossip], _epochs(10), "RMSE apart")] = gaps[-1]
        holding.append(gaps[0] - gaps[-1] > SAME)
    sentence = tell(
        f"{TITLES[sizes[-1]]}'s difference is smaller than MovieLens-100K's by more than {SAME}", holding
    )
    return Finding(verdict(holding), sentence, numbers)


def _leads(o: Outcomes) -> Numbers:
    """With one epoch: by how much gossip ends ahead of its own kind of federated learning."""
    return {
        _case(data, ALGORITHMS[gossip], "RMSE by which gossip is ahead"): _end(o, data, federated, 1)
        - _end(o, data, gossip, 1)
        for (gossip, federated), data in product(RIVALS, networks(o))
    }


def gossip_ends_ahead(o: Outcomes) -> Finding:
    """H5a."""
    numbers = _leads(o)
    ahead = [lead > SAME for lead in _numbers(numbers)]
    return Finding(verdict(ahead), tell(f"gossip ends ahead by more than {SAME}", ahead), numbers)


def most_on_the_largest(o: Outcomes) -> Finding:
    """H5b."""
    count = len(networks(o))
    if count < 2:
        return Finding(NOT_CHECKED, "needs two networks (without --quick)")
    numbers = _leads(o)
    leads = _numbers(numbers)
    holding = [
        leads[place + count - 1] - max(leads[place], 0) > SAME for place in range(0, len(leads), count)
    ]
    sentence = tell(f"gossip's lead is larger on the largest network by more than {SAME}", holding)
    return Finding(verdict(holding), sentence, numbers)


def bandwidth_helps(o: Outcomes) -> Finding:
    """H6: end under churn at low against high bandwidth."""
    numbers: Numbers = {}
    for data, recipe in product(networks(o, CHURN), ALGORITHMS):
        low, high = (_end(o, data, recipe, 1, scenario) for scenario in CHURN)
        numbers[_case(data, ALGORITHMS[recipe], "RMSE gained")] = low - high
    gains = _numbers(numbers)
    holding = [gain >= DRAMATIC for gain in gains]
    sentence = f"{tell(f'RMSE falls by {DRAMATIC} or more', holding)} ({min(gains):.3f} to {max(gains):.3f})"
    return Finding(verdict(holding), sentence, numbers)


def comparable_under_churn(o: Outcomes) -> Finding:
    """H7."""
    return _comparable({
        _case(data, scenario, ALGORITHMS[gossip], _MINUS): _end(o, data, gossip, 1, scenario)
        - _end(o, data, federated, 1, scenario)
        for data, scenario, (gossip, federated) in product(networks(o, CHURN), CHURN, RIVALS)
    })  # fmt: skip


def comparable_without_churn(o: Outcomes) -> Finding:
    """H7b."""
    return _comparable({
        _case(data, ALGORITHMS[gossip], _epochs(epochs), _MINUS): _end(o, data, gossip, epochs)
        - _end(o, data, federated, epochs)
        for data, epochs, (gossip, federated) in product(networks(o, epochs=EPOCHS), EPOCHS, RIVALS)
    })  # fmt: skip


def _comparable(numbers: Numbers) -> Finding:
    """Whether gossip is not behind its own kind of federated learning by more than COMPARABLE."""
    gaps = _numbers(numbers)
    sentence = tell(f"gossip is at most {COMPARABLE} behind", [gap <= COMPARABLE for gap in gaps])
    sentence += f"; it is ahead in {sum(gap < 0 for gap in gaps)}"
    return Finding(verdict([gap <= COMPARABLE for gap in gaps]), sentence, numbers)


def compression_helps_under_churn(o: Outcomes) -> Finding:
    """H8: H2 where phones come and go."""
    numbers: Numbers = {}
    for data, scenario, (whole, tenth) in product(networks(o, CHURN), CHURN, COMPRESSED):
        gain = _end(o, data, whole, 1, scenario) - _end(o, data, tenth, 1, scenario)
        numbers[_case(data, scenario, ALGORITHMS[whole], "RMSE gained by 10 %")] = gain
    holding = [gain > SAME for gain in _numbers(numbers)]
    return Finding(verdict(holding), tell(f"the 10 % variant is lower by more than {SAME}", holding), numbers)


def larger_networks_suit_gossip(o: Outcomes) -> Finding:
    """H9: gossip minus federated under churn, the smallest against the largest network."""
    sizes = networks(o, CHURN)
    if len(sizes) < 2:
        return Finding(NOT_CHECKED, "needs two networks (without --quick)")
    numbers: Numbers = {}
    holding = []
    for scenario, (gossip, federated) in product(CHURN, RIVALS):
        gaps = []
        for data in sizes:
            gaps.append(_end(o, data, gossip, 1, scenario) - _end(o, data, federated, 1, scenario))
            numbers[_case(data, scenario, ALGORITHMS[gossip], _MINUS)] = gaps[-1]
        holding.append(gaps[0] - gaps[-1] > SAME)
    sentence = tell(
        f"against federated, gossip is better on {TITLES[sizes[-1]]} than on MovieLens-100K by more than {SAME}",
        holding,
    )
    return Finding(verdict(holding), sentence, numbers)


_AT_24 = (
    f"RMSE is the mean of the two virtual hours before hour {PAPER_HOURS:.0f}, where the paper's curves end"
)
_RESULTS = "section 6.5, figure"
CLAIMS = (
    Claim(
        "H1",
        "Ten local epochs converge faster per byte than one",
        f"{_RESULTS} 3",
        f"bytes sent until both reach the best RMSE of the worse one within {PAPER_HOURS:.0f} hours; no churn",
        ("figure-3",),
        more_epochs_are_faster,
        quick=True,
    ),
    Claim(
        "H2",
        "The variants that send 10 % beat the uncompressed ones, by gossip and by federation",
        f"{_RESULTS} 3",
        f"lower by more than {SAME}, without churn. {_AT_24}",
        ("figure-3",),
        a_tenth_beats_all,
        quick=True,
    ),
    Claim(
        "H3",
        "Federated learning leads at first; the lead is gone after a few hours",
        f"{_RESULTS} 3",
        f"a lead of more than {SAME} in the first {FEW_HOURS} hours, and never again in {PAPER_HOURS:.0f}; no churn",
        ("figure-3",),
        the_lead_is_soon_gone,
        quick=True,
    ),
    Claim(
        "H4",
        "The difference between gossip and federation shrinks as the network grows",
        f"{_RESULTS} 3",
        f"RMSE apart, less by more than {SAME} on the largest network that was run than on the smallest. Ten epochs, "
        f"no churn: with one epoch the paper has gossip's lead largest there (H5b). {_AT_24}",
        ("figure-3",),
        larger_networks_differ_less,
    ),
    Claim(
        "H5a",
        "With one local epoch gossip ends ahead of federation",
        f"{_RESULTS} 3",
        f"by more than {SAME}, each against its own kind, without churn. {_AT_24}",
        ("figure-3",),
        gossip_ends_ahead,
        quick=True,
    ),
    Claim(
        "H5b",
        "With one local epoch gossip's lead is largest on the largest network",
        f"{_RESULTS} 3",
        f"ahead there, and further than on the smallest by more than {SAME}, without churn. {_AT_24}",
        ("figure-3",),
        most_on_the_largest,
    ),
    Claim(
        "H6",
        "Under churn, ten times faster transfers help dramatically",
        f"{_RESULTS} 4",
        f"dramatic: RMSE lower by {DRAMATIC} or more, with one epoch. {_AT_24}",
        ("figure-4",),
        bandwidth_helps,
        quick=True,
    ),
    Claim(
        "H7",
        "Gossip is comparable to federation under churn",
        f"abstract; {_RESULTS} 4",
        f"comparable: at most {COMPARABLE} behind its own kind, with one epoch. {_AT_24}",
        ("figure-4",),
        comparable_under_churn,
        quick=True,
    ),
    Claim(
        "H7b",
        "Gossip is comparable to federation without churn",
        f"abstract; {_RESULTS} 3",
        f"comparable: at most {COMPARABLE} behind its own kind, with one and ten epochs. {_AT_24}",
        ("figure-3",),
        comparable_without_churn,
        quick=True,
    ),
    Claim(
        "H8",
        "Under churn, too, the variants that send 10 % beat the uncompressed ones",
        f"{_RESULTS} 4",
        f"lower by more than {SAME}, with one epoch. {_AT_24}",
        ("figure-4",),
        compression_helps_under_churn,
        quick=True,
    ),
    Claim(
        "H9",
        "Under churn, too, gossip does relatively better in larger networks",
        f"{_RESULTS} 4",
        f"gossip minus federated, lower by more than {SAME} on the largest network that was run than on the smallest, "
        f"with one epoch. {_AT_24}",
        ("figure-4",),
        larger_networks_suit_gossip,
    ),
)
