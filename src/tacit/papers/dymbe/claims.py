"""Claims D0 to D11, D15 to D22 and D28 of Dymbe, about ratings, and what our runs say. Thresholds are ours."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import pairwise

from tacit.experiment.result import Result
from tacit.papers.base import (
    NOT_CHECKED,
    Claim,
    Finding,
    NotRunError,
    Numbers,
    Outcomes,
    Wanted,
    mean_of,
    verdict,
)
from tacit.papers.dymbe.images import IMAGE_CLAIMS
from tacit.papers.dymbe.runs import (
    EVERYBODY,
    FEW_SIZES,
    ML_1M,
    ML_100K,
    NETFLIX,
    SIZES,
    TITLES,
    YAHOO,
    clusters,
    datasets,
    size_name,
    wanted,
)
from tacit.papers.read_curves import at, best, ending, mean_ending

SAME = 0.01
"""RMSE by which two ends may differ and still be called level."""
HOURS = (10, 24, 48)
"""At which gossip is compared with federated learning."""
NOTHING = 0.002
"""RMSE below which a change is none: better, slower and ahead mean by more than this."""
CLEAR = 0.03
SMALL = (5, 10)
"""Sizes of clusters that the thesis calls relatively small."""
EARLY = 5
"""Hours, while gossip is still converging."""
FAST, SLOW = 3, 6
"""Hours: a curve that is lower after 3 than another after 6 converges a lot faster, in half the time."""
GOSSIP, CENTRAL, CENTRAL_FAST = "data, fast vectors, high", "central", "central, fast"
NAMES = {GOSSIP: "gossip", CENTRAL: "centralized with eta_v 0.01", CENTRAL_FAST: "centralized with eta_v 0.1"}
_BUT_YAHOO = (ML_100K, ML_1M, NETFLIX)
"""Where the thesis excepts Yahoo R3, and does not say that the opposite is true there."""


def _end(o: Outcomes, name: str, data: str = ML_100K) -> float:
    return mean_ending(o[wanted(o.quick, name, data)])


def _at(o: Outcomes, name: str, hour: float, data: str = ML_100K) -> float:
    return statistics.fmean(at(run, hour) for run in o[wanted(o.quick, name, data)])


def _best(runs: list[Result]) -> float:
    return statistics.fmean(best(run) for run in runs)


def _there(o: Outcomes, needed: Callable[[str], Iterable[Wanted]], among: Sequence[str] = ()) -> list[str]:
    """The data sets on which everything that a claim needs was run."""
    found = [data for data in among or datasets(o.quick) if all(o.get(w) for w in needed(data))]
    if not found:
        raise NotRunError(among)
    return found


def _linear_and_federated(
    o: Outcomes, federated: str = "federated"
) -> dict[str, tuple[list[Result], list[Result]]]:
    """Runs of gossip with linear merging and of federated learning, on each data set that was at hand."""
    found = {
        TITLES[data]: (o.get(wanted(o.quick, "linear", data)), o.get(wanted(o.quick, federated, data)))
        for data in datasets(o.quick)
    }
    return {title: both for title, both in found.items() if all(both)}


def gossip_beats_federated(o: Outcomes, line: str) -> Finding:
    """D0: gossip with linear merging against a line of federated learning, hour by hour."""
    numbers: Numbers = {}
    holding, sentences = [], []
    for title, (gossip, federated) in _linear_and_federated(o, line).items():
        told = []
        for hour in HOURS:
            ours, theirs = (statistics.fmean(at(run, hour) for run in runs) for runs in (gossip, federated))
            numbers |= {f"{title}, {hour} h: gossip": ours, f"{title}, {hour} h: federated": theirs}
            holding.append(ours < theirs - NOTHING)
            told.append(f"{ours:.3f} and {theirs:.3f} at {hour} h")
        sentences.append(f"{title}: gossip and federated {', '.join(told)}")
    return Finding(verdict(holding), "; ".join(sentences), numbers)


def merging_does_best(o: Outcomes, federated: str) -> Finding:
    """D28: gossip with linear merging against gossip without, and against a line of federated learning."""
    numbers: Numbers = {}
    holding = []
    for data in _there(
        o, lambda data: (wanted(o.quick, name, data) for name in ("linear", "no merge", federated))
    ):
        ours = numbers[f"{TITLES[data]}: linear merging"] = _last(o, "linear", data)
        for name in ("no merge", federated):
            theirs = numbers[f"{TITLES[data]}: {name}"] = _last(o, name, data)
            holding.append(ours < theirs - NOTHING)
    told = ", ".join(f"{name} {value:.4f}" for name, value in numbers.items())
    return Finding(
        verdict(holding), f"it is lower in {sum(holding)} of {len(holding)} cases ({told})", numbers
    )


def _last(o: Outcomes, name: str, data: str) -> float:
    """RMSE when the run was over, as figure 4.5 is recorded."""
    found = mean_of(o[wanted(o.quick, name, data)], "rmse")
    if found is None:
        raise NotRunError(name)
    return found


def a_simple_baseline_is_better(o: Outcomes) -> Finding:
    """D11: the mean rating and biases of users and items, fitted in one place, against both."""
    numbers: Numbers = {}
    holding = []
    for title, both in _linear_and_federated(o).items():
        data = next(name for name, known in TITLES.items() if known == title)
        simple = numbers[f"{title}: mean and biases"] = mean_ending(
            o[wanted(o.quick, "simple baseline", data)]
        )
        for name, runs in zip(("gossip", "federated"), both, strict=True):
            end = numbers[f"{title}: {name}"] = mean_ending(runs)
            holding.append(simple < end - NOTHING)
    return Finding(verdict(holding), f"it ends lower in {sum(holding)} of {len(holding)} cases", numbers)


def topology_does_not_matter(o: Outcomes) -> Finding:
    """D1: end on a complete graph against a 20-out graph."""
    numbers: Numbers = {}
    apart = []
    for name in ("no merge", "linear"):
        complete, sparse = _end(o, name), _end(o, f"{name}, 20-out")
        numbers |= {f"{name}, complete": complete, f"{name}, 20-out": sparse}
        apart.append(abs(complete - sparse))
    sentence = f"the ends differ by {apart[0]:.4f} (no merge) and {apart[1]:.4f} (linear)"
    return Finding(verdict([gap <= SAME for gap in apart]), sentence, numbers)


def keep_oldest_is_slower(o: Outcomes) -> Finding:
    """D2a: behind linear at 12 hours."""
    early = _at(o, "keep oldest", 12) - _at(o, "linear", 12)
    numbers: Numbers = {"keep oldest minus linear at 12 h": early}
    return Finding(verdict([early > NOTHING]), f"after 12 h keep oldest is {early:+.4f} from linear", numbers)


def keep_oldest_ends_level(o: Outcomes) -> Finding:
    """D2b."""
    late = _end(o, "keep oldest") - _end(o, "linear")
    level = "level" if abs(late) <= SAME else "ahead" if late < 0 else "behind"
    sentence = f"at the end keep oldest is {late:+.4f} from linear: {level}"
    return Finding(verdict([abs(late) <= SAME]), sentence, {"keep oldest minus linear at the end": late})


def keep_oldest_is_faster_than_no_merge(o: Outcomes) -> Finding:
    """D2c: ahead of no merge at 12 hours."""
    early = _at(o, "keep oldest", 12) - _at(o, "no merge", 12)
    numbers: Numbers = {"keep oldest minus no merge at 12 h": early}
    sentence = f"after 12 h keep oldest is {early:+.4f} from no merge"
    return Finding(verdict([early < -NOTHING]), sentence, numbers)


def higher_degrees_are_better(o: Outcomes) -> Finding:
    """D3: ends of degree 1, 2, 3."""
    ends = {name: _end(o, name) for name in ("linear", "quadratic", "cubic")}
    sentence = ", ".join(f"{name} {end:.4f}" for name, end in ends.items())
    return Finding(verdict([b < a - NOTHING for a, b in pairwise(ends.values())]), sentence, dict(ends))


def exponential_ends_better(o: Outcomes) -> Finding:
    """D4: behind linear at 6 hours, ahead at the end."""
    early = _at(o, "exponential", 6) - _at(o, "linear", 6)
    late = _end(o, "exponential") - _end(o, "linear")
    sentence = f"after 6 h exponential is {early:+.4f} from linear, at the end {late:+.4f}"
    numbers: Numbers = {"exponential minus linear at 6 h": early, "at the end": late}
    return Finding(verdict([early > NOTHING and late < -NOTHING]), sentence, numbers)


def exponential_helps_most(o: Outcomes) -> Finding:
    """D22: its end against that of every other merge."""
    ends = {
        name: _end(o, name)
        for name in ("exponential", "no merge", "linear", "keep oldest", "quadratic", "cubic")
    }
    first, *others = ends.values()
    sentence = ", ".join(f"{name} {end:.4f}" for name, end in ends.items())
    return Finding(verdict([first < other - NOTHING for other in others]), sentence, dict(ends))


def biases_match_the_full_model(o: Outcomes) -> Finding:
    """D5: end with and without vectors, original setting."""
    full, biases = _end(o, "linear"), _end(o, "biases")
    sentence = f"{biases:.4f} with biases only, {full:.4f} with vectors"
    return Finding(
        verdict([abs(full - biases) <= SAME]), sentence, {"biases and vectors": full, "biases only": biases}
    )


def a_start_from_data_helps(o: Outcomes) -> Finding:
    """D6a: biases from the data against biases from 1."""
    ends = {name: _end(o, name) for name in ("biases", "data")}
    gain = ends["biases"] - ends["data"]
    sentence = f"gains {gain:.4f} ({ends['data']:.4f} against {ends['biases']:.4f})"
    return Finding(verdict([gain >= CLEAR]), sentence, dict(ends))


def exponential_does_not_combine(o: Outcomes) -> Finding:
    """D6b: from the data, linear against exponential merging."""
    ends = {name: _end(o, name) for name in ("data", "data, exponential")}
    sentence = f"{ends['data, exponential']:.4f} with exponential, {ends['data']:.4f} with linear merging"
    worse = ends["data, exponential"] > ends["data"] + NOTHING
    return Finding(verdict([worse]), sentence, dict(ends))


def slow_vectors_add_nothing(o: Outcomes) -> Finding:
    """D7a: what vectors gain at eta_v 0.01, at low and high bandwidth."""
    numbers: Numbers = {
        "gain at 0.01, low bandwidth": _end(o, "data") - _end(o, "data, vectors"),
        "gain at 0.01, high bandwidth": _end(o, "data, high") - _end(o, "data, vectors, high"),
    }
    gains = [gain for gain in numbers.values() if gain is not None]
    sentence = f"at 0.01 vectors gain {gains[0]:+.4f} (low) and {gains[1]:+.4f} (high)"
    return Finding(verdict([abs(gain) <= NOTHING for gain in gains]), sentence, numbers)


def fast_vectors_do(o: Outcomes) -> Finding:
    """D7b: what they gain at 0.1 and high bandwidth, on every data set."""
    numbers: Numbers = {}
    holding, told = [], []
    pair = ("data, high", "data, fast vectors, high")
    here = _there(o, lambda data: (wanted(o.quick, name, data) for name in pair))
    for data in here:
        gain = _end(o, pair[0], data) - _end(o, pair[1], data)
        numbers[f"{TITLES[data]}: gain at 0.1, high bandwidth"] = gain
        holding.append(gain <= NOTHING if data == YAHOO else gain > NOTHING)
        told.append(f"{gain:+.4f} on {TITLES[data]}")
    absent = [TITLES[data] for data in datasets(o.quick) if data not in here]
    rest = f"; not at hand: {', '.join(absent)}" if absent else ""
    return Finding(verdict(holding), f"at 0.1 vectors gain {', '.join(told)}{rest}", numbers)


def _ends_lower(o: Outcomes, lower: str, higher: str, among: Sequence[str] = ()) -> Finding:
    """Whether one way to learn ends below another on every split; on Yahoo R3 whether it does not."""
    numbers: Numbers = {}
    holding, told = [], []
    for data in _there(o, lambda data: (wanted(o.quick, name, data) for name in (lower, higher)), among):
        for a, b in zip(*(o[wanted(o.quick, name, data)] for name in (lower, higher)), strict=True):
            place = f"{TITLES[data]}, seed {a.seed}"
            numbers |= {f"{place}, {NAMES[lower]}": ending(a), f"{place}, {NAMES[higher]}": ending(b)}
            below = ending(a) < ending(b) - NOTHING
            holding.append(below != (data == YAHOO))
            told.append(f"{ending(a):.4f} and {ending(b):.4f} on {place}")
    sentence = f"{NAMES[lower]} and {NAMES[higher]}: {', '.join(told)}"
    return Finding(verdict(holding), sentence, numbers)


def central_stays_ahead(o: Outcomes) -> Finding:
    """D8: centralized with eta_v 0.01 against gossip with 0.1, at the end of every split."""
    return _ends_lower(o, CENTRAL, GOSSIP, _BUT_YAHOO)


def central_is_a_lot_faster(o: Outcomes) -> Finding:
    """D19a: centralized, early, against gossip in twice the time, both with eta_v 0.1."""
    numbers: Numbers = {}
    holding = []
    for data in _there(
        o, lambda data: (wanted(o.quick, name, data) for name in (GOSSIP, CENTRAL_FAST)), _BUT_YAHOO
    ):
        early, late = _at(o, CENTRAL_FAST, FAST, data), _at(o, GOSSIP, SLOW, data)
        numbers |= {
            f"{TITLES[data]}: centralized, {FAST} h": early,
            f"{TITLES[data]}: gossip, {SLOW} h": late,
        }
        holding.append(early < late - NOTHING)
    sentence = ", ".join(f"{name} {value:.4f}" for name, value in numbers.items())
    return Finding(verdict(holding), sentence, numbers)


def _every_size(o: Outcomes, inside: str, eta: float, data: str) -> dict[int, Wanted]:
    """The runs of clusters by their size; those of one are gossip."""
    sizes = FEW_SIZES if o.quick or data != ML_100K else SIZES
    return {size: clusters(o.quick, inside, eta, size, data) for size in sizes}


def _cluster_ends(o: Outcomes, inside: str, eta: float, data: str) -> dict[int, float]:
    """The end of each size, gossip left out."""
    runs = _every_size(o, inside, eta, data)
    return {size: mean_ending(o[run]) for size, run in runs.items() if size > 1}


def larger_clusters_do_better(o: Outcomes) -> Finding:
    """D9: shared-data clusters at eta_v 0.01, each size against the next smaller one: best value, and end."""
    numbers: Numbers = {}
    best_ok, end_ok = [], []
    for data in _there(o, lambda data: _every_size(o, "shared-data", 0.01, data).values(), _BUT_YAHOO):
        runs = {size: o[run] for size, run in _every_size(o, "shared-data", 0.01, data).items()}
        for size, found in runs.items():
            numbers[f"{TITLES[data]}, at most {size_name(size)}, best"] = _best(found)
            numbers[f"{TITLES[data]}, at most {size_name(size)}, end"] = mean_ending(found)
        for a, b in pairwise(runs.values()):
            best_ok.append(_best(b) < _best(a) - NOTHING)
            end_ok.append(mean_ending(b) < mean_ending(a) - NOTHING)
    sentence = (
        f"the next larger size ends lower in {sum(end_ok)} of {len(end_ok)} steps; by the best value on the "
    )
    sentence += f"curve it is lower in {sum(best_ok)} (larger clusters overfit sooner)"
    return Finding(verdict(end_ok), sentence, numbers)


def small_clusters_do_better(o: Outcomes) -> Finding:
    """D21: shared-data clusters of 5 and of 10 at eta_v 0.1, each against all other sizes."""
    numbers: Numbers = {}
    holding, told = [], []
    for data in _there(o, lambda data: _every_size(o, "shared-data", 0.1, data).values(), _BUT_YAHOO):
        ends = {size: mean_ending(o[run]) for size, run in _every_size(o, "shared-data", 0.1, data).items()}
        numbers |= {f"{TITLES[data]}, at most {size_name(size)}": end for size, end in ends.items()}
        for size in filter(ends.__contains__, SMALL):
            others = [end for other, end in ends.items() if other != size]
            level = sum(ends[size] <= end + NOTHING for end in others)
            holding.append(2 * level > len(others))
            told.append(f"{size} in {level} of {len(others)} on {TITLES[data]}")
    sentence = f"no higher than other sizes: {', '.join(told)}"
    return Finding(verdict(holding), sentence, numbers)


def federated_clusters_beat_gossip(o: Outcomes) -> Finding:
    """D10: ends of federated clusters of every size against gossip, on the larger data sets."""
    numbers: Numbers = {}
    holding, sentences = [], []
    for data in _there(o, lambda data: _every_size(o, "federated", 0.1, data).values()):
        gossip = mean_ending(o[clusters(o.quick, "federated", 0.1, 1, data)])
        ends = _cluster_ends(o, "federated", 0.1, data)
        numbers[f"{TITLES[data]}, gossip"] = gossip
        numbers |= {f"{TITLES[data]}, at most {size_name(size)}": end for size, end in ends.items()}
        lower = [size_name(size) for size, end in ends.items() if end < gossip - NOTHING]
        sentences.append(
            f"{TITLES[data]}: gossip {gossip:.4f}, federated {ends[EVERYBODY]:.4f}, "
            f"lower than gossip with clusters of {', '.join(lower) or 'no size'}"
        )
        if data in (ML_1M, NETFLIX):
            holding += [end < gossip - NOTHING for end in ends.values()]
    if not holding:
        sentences.append("the claim is about MovieLens-1M and Netflix: run without --quick")
    return Finding(verdict(holding), "; ".join(sentences), numbers)


def gossip_is_slightly_better_where_data_are_few(o: Outcomes) -> Finding:
    """D15: gossip against federated clusters of every size, on the smaller data sets."""
    numbers: Numbers = {}
    for data in _there(o, lambda data: _every_size(o, "federated", 0.1, data).values(), (ML_100K, YAHOO)):
        gossip = mean_ending(o[clusters(o.quick, "federated", 0.1, 1, data)])
        for size, end in _cluster_ends(o, "federated", 0.1, data).items():
            numbers[f"{TITLES[data]}, at most {size_name(size)}: gossip is better by"] = end - gossip
    gains = [gain for gain in numbers.values() if gain is not None]
    holding = [NOTHING < gain < CLEAR for gain in gains]
    sentence = f"gossip is slightly better in {sum(holding)} of {len(holding)} cases"
    return Finding(verdict(holding), f"{sentence} ({min(gains):+.4f} to {max(gains):+.4f})", numbers)


def _steps_between_sizes(o: Outcomes, among: Sequence[str]) -> tuple[Numbers, list[float]]:
    """What each size of federated clusters ends at, and what it gains over the next smaller one."""
    numbers: Numbers = {}
    gains: list[float] = []
    for data in _there(o, lambda data: _every_size(o, "federated", 0.1, data).values(), among):
        ends = _cluster_ends(o, "federated", 0.1, data)
        numbers |= {f"{TITLES[data]}, at most {size_name(size)}": end for size, end in ends.items()}
        gains += [a - b for a, b in pairwise(ends.values())]
    return numbers, gains


def larger_federated_clusters_do_better(o: Outcomes) -> Finding:
    """D17a: on the larger data sets."""
    if o.quick:
        return Finding(NOT_CHECKED, "the claim is about MovieLens-1M and Netflix: run without --quick")
    numbers, gains = _steps_between_sizes(o, (ML_1M, NETFLIX))
    holding = [gain > NOTHING for gain in gains]
    ends = ", ".join(f"{end:.4f}" for end in numbers.values())
    sentence = f"the next larger size ends lower in {sum(holding)} of {len(holding)} steps ({ends})"
    return Finding(verdict(holding), sentence, numbers)


def smaller_federated_clusters_do_better(o: Outcomes) -> Finding:
    """D17b: on the smaller ones, very slightly, so by any margin."""
    numbers, gains = _steps_between_sizes(o, (ML_100K, YAHOO))
    holding = [gain < 0 for gain in gains]
    ends = ", ".join(f"{end:.4f}" for end in numbers.values())
    sentence = f"the next larger size ends higher in {sum(holding)} of {len(holding)} steps ({ends})"
    return Finding(verdict(holding), sentence, numbers)


def late_rows_are_slower(o: Outcomes) -> Finding:
    """D18: rows that exist only once updated, against rows from the start, with and without merging."""
    behind = {
        name: _at(o, f"{name}, lazy", EARLY) - _at(o, f"{name}, 20-out", EARLY)
        for name in ("no merge", "linear")
    }
    numbers: Numbers = {
        f"{name}: RMSE of late rows minus that of rows from the start, {EARLY} h": gap
        for name, gap in behind.items()
    }
    holding = [behind["no merge"] > NOTHING, behind["no merge"] > behind["linear"] + NOTHING]
    sentence = f"after {EARLY} h late rows are {behind['no merge']:+.4f} (no merge) and "
    return Finding(
        verdict(holding), f"{sentence}{behind['linear']:+.4f} (linear) from rows at the start", numbers
    )


def _behind_shared_data(o: Outcomes, eta: float) -> Finding:
    """Federated clusters (eta_v 0.1) less shared-data clusters of the same size."""
    numbers: Numbers = {}
    runs = (("shared-data", eta), ("federated", 0.1))
    for data in _there(o, lambda data: (w for way in runs for w in _every_size(o, *way, data).values())):
        shared = _cluster_ends(o, "shared-data", eta, data)
        for size, end in _cluster_ends(o, "federated", 0.1, data).items():
            numbers[f"{TITLES[data]}, at most {size_name(size)}: federated is behind by"] = end - shared[size]
    gaps = [gap for gap in numbers.values() if gap is not None]
    holding = [gap > NOTHING for gap in gaps]
    sentence = f"federated clusters end higher in {sum(holding)} of {len(holding)} cases"
    return Finding(verdict(holding), f"{sentence} ({min(gaps):+.4f} to {max(gaps):+.4f})", numbers)


_END = "mean RMSE of the last two virtual hours"
CLAIMS = (
    *(
        Claim(
            name,
            f"Gossip beats federated learning with the mean over {over}",
            source,
            f"RMSE of gossip with linear merging below federated learning's by more than {NOTHING} after "
            f"{', '.join(map(str, HOURS))} hours",
            ("figure-4.5",),
            partial(gossip_beats_federated, line=line),
            quick=True,
        )
        for name, over, source, line in (
            (
                "D0a",
                "the item's raters",
                "sections 4.1, 4.3 and 4.6 (RQ2), figure 4.5; Hegedűs et al., algorithm 1",
                "federated",
            ),
            ("D0b", "all agents", "sections 2.4, 4.3 and 4.6 (RQ2), figure 4.5", "federated, all agents"),
        )
    ),
    Claim(
        "D1",
        "A complete or a 20-out graph makes no difference",
        "section 4.4.1, figure 4.6",
        f"{_END}; none: at most {SAME} apart",
        ("figure-4.6",),
        topology_does_not_matter,
        quick=True,
    ),
    Claim(
        "D2a",
        "Keep-oldest converges slower than linear merging",
        "section 5.1.1, figure 5.1",
        f"higher by more than {NOTHING} at 12 h",
        ("figure-5.1",),
        keep_oldest_is_slower,
        quick=True,
    ),
    Claim(
        "D2b",
        "Keep-oldest ends level with linear merging",
        "section 5.1.1, figure 5.1",
        f"{_END}; level: at most {SAME} apart",
        ("figure-5.1",),
        keep_oldest_ends_level,
        quick=True,
    ),
    Claim(
        "D2c",
        "Keep-oldest converges faster than no merge",
        "section 5.1.1, figure 5.1",
        f"lower by more than {NOTHING} at 12 h",
        ("figure-5.1",),
        keep_oldest_is_faster_than_no_merge,
        quick=True,
    ),
    Claim(
        "D3",
        "Higher polynomial degrees do slightly better",
        "section 5.1.2, figure 5.2",
        f"{_END}, each degree below the next lower one by more than {NOTHING}",
        ("figure-5.2",),
        higher_degrees_are_better,
        quick=True,
    ),
    Claim(
        "D4",
        "Exponential merging starts slower and ends better",
        "section 5.1.3, figure 5.3",
        f"higher than linear at 6 h, and lower at the end, each by more than {NOTHING}",
        ("figure-5.3",),
        exponential_ends_better,
        quick=True,
    ),
    Claim(
        "D5",
        "With the original settings biases alone match the full model",
        "section 5.2, equation 5.1, figure 5.5",
        f"{_END}; match: at most {SAME} apart",
        ("figure-5.5",),
        biases_match_the_full_model,
        quick=True,
    ),
    Claim(
        "D6a",
        "A data-based start improves clearly",
        "section 5.3, algorithm 4, figure 5.6",
        f"{_END}; clearly: by {CLEAR} or more",
        ("figure-5.5", "figure-5.6"),
        a_start_from_data_helps,
        quick=True,
    ),
    Claim(
        "D6b",
        "Exponential merging does not combine with a data-based start",
        "section 5.3, figure 5.6",
        f"{_END}, higher than with linear merging by more than {NOTHING}",
        ("figure-5.6",),
        exponential_does_not_combine,
        quick=True,
    ),
    Claim(
        "D7a",
        "At eta_v 0.01 vectors add nothing to a data-based start",
        "section 5.5, figures 5.11 and 5.12",
        f"{_END}; nothing: at most {NOTHING}",
        ("figure-5.11", "figure-5.12"),
        slow_vectors_add_nothing,
    ),
    Claim(
        "D7b",
        "At eta_v 0.1 with ten times the bandwidth vectors help, but for Yahoo R3",
        "section 5.5, figure 5.13",
        f"{_END}, lower by more than {NOTHING}; on Yahoo R3 not",
        ("figure-5.13",),
        fast_vectors_do,
    ),
    Claim(
        "D8",
        "Centralized learning (eta_v 0.01) stays ahead of gossip",
        "section 6.1, figure 6.2",
        f"{_END}, lower by more than {NOTHING} on every split. Yahoo R3 is left out: the text says only that this "
        "rate does not help there",
        ("figure-6.2",),
        central_stays_ahead,
    ),
    Claim(
        "D9",
        "Larger shared-data clusters do better once eta_v is tuned, but for Yahoo R3",
        "section 6.2.2, figure 6.4",
        f"{_END}, with eta_v 0.01. Each size is below the next smaller one by more than {NOTHING}; without Yahoo R3",
        ("figure-6.4",),
        larger_clusters_do_better,
    ),
    Claim(
        "D10",
        "Federated clusters beat gossip on MovieLens-1M and Netflix; with these improvements so does federation",
        "section 6.3, figure 6.5",
        f"{_END}, every size below gossip by more than {NOTHING}",
        ("figure-6.5",),
        federated_clusters_beat_gossip,
    ),
    Claim(
        "D11",
        "A simple centralized baseline (mean, biases of users and items) beats both gossip and federated learning",
        "section 4.5",
        f"{_END}, lower by more than {NOTHING}",
        ("figure-4.5",),
        a_simple_baseline_is_better,
        quick=True,
    ),
    *IMAGE_CLAIMS,
    Claim(
        "D15",
        "Gossip does slightly better than federated clusters on MovieLens-100K and Yahoo R3",
        "section 6.3.2, figure 6.5",
        f"{_END}, lower than every size by more than {NOTHING} and less than {CLEAR}",
        ("figure-6.5",),
        gossip_is_slightly_better_where_data_are_few,
    ),
    Claim(
        "D16a",
        "Federated clusters do worse than shared-data clusters",
        "section 6.3.2, figures 6.3 and 6.5",
        f"{_END}, higher than the same size by more than {NOTHING}; both with eta_v 0.1",
        ("figure-6.3", "figure-6.5"),
        lambda o: _behind_shared_data(o, 0.1),
    ),
    Claim(
        "D16b",
        "All the more where the shared-data clusters are tuned",
        "section 6.3.2, figures 6.4 and 6.5",
        "the same against shared-data clusters with eta_v 0.01",
        ("figure-6.4", "figure-6.5"),
        lambda o: _behind_shared_data(o, 0.01),
    ),
    Claim(
        "D17a",
        "Larger federated clusters are generally better on MovieLens-1M and Netflix",
        "section 6.3.2, figure 6.5",
        f"{_END}, each size below the next smaller one by more than {NOTHING}. Gossip is no cluster",
        ("figure-6.5",),
        larger_federated_clusters_do_better,
    ),
    Claim(
        "D17b",
        "On MovieLens-100K and Yahoo R3 smaller ones are better, very slightly on MovieLens-100K",
        "section 6.3.2, figure 6.5",
        f"{_END}, each size above the next smaller one",
        ("figure-6.5",),
        smaller_federated_clusters_do_better,
    ),
    Claim(
        "D18",
        "Rows that exist only once updated make gossip slower, most without merging",
        "section 4.4.2, figure 4.7",
        f"RMSE after {EARLY} h, against rows that exist from the start. Without merging it is higher by more than "
        f"{NOTHING}, and by that much more than with merging. That the curves become almost identical to published "
        "ones is not judged: those print no numbers",
        ("figure-4.6", "figure-4.7"),
        late_rows_are_slower,
    ),
    Claim(
        "D19a",
        "With eta_v 0.1 centralized learning converges a lot faster than gossip",
        "section 6.1, figure 6.1",
        f"RMSE after {FAST} h below that of gossip after {SLOW} h by more than {NOTHING}; without Yahoo R3, where "
        "fast learning shows as overfitting",
        ("figure-6.1",),
        central_is_a_lot_faster,
    ),
    Claim(
        "D19b",
        "With eta_v 0.1 centralized learning gets a better score than gossip, but for Yahoo R3",
        "section 6.1, figure 6.1",
        f"{_END}, lower by more than {NOTHING} on every split; on Yahoo R3 not",
        ("figure-6.1",),
        lambda o: _ends_lower(o, CENTRAL_FAST, GOSSIP),
    ),
    Claim(
        "D20",
        "eta_v 0.01 instead of 0.1 improves the centralized model, but for Yahoo R3",
        "section 6.1, figures 6.1 and 6.2",
        f"{_END}, lower by more than {NOTHING} on every split; on Yahoo R3 not",
        ("figure-6.1", "figure-6.2"),
        lambda o: _ends_lower(o, CENTRAL, CENTRAL_FAST),
    ),
    Claim(
        "D21",
        "With eta_v 0.1 shared-data clusters of five or ten are at least as good as most sizes, but for Yahoo R3",
        "section 6.2.2, figure 6.3",
        f"{_END}, at most {NOTHING} above more than half of the other sizes. Gossip and centralized are sizes, too. "
        "Yahoo R3 is left out",
        ("figure-6.3",),
        small_clusters_do_better,
    ),
    Claim(
        "D22",
        "Of all merges the exponential one improves the original gossip most",
        "section 7.1.2, figures 5.1 to 5.3",
        f"{_END}, lower than with every other merge by more than {NOTHING}",
        ("figure-5.1", "figure-5.2", "figure-5.3"),
        exponential_helps_most,
        quick=True,
    ),
    *(
        Claim(
            name,
            f"Of all three, gossip with merging does best (federated learning with the mean over {over})",
            "section 4.3, figure 4.5",
            f"RMSE at 48 hours, lower than without merging and than federated learning by more than {NOTHING}",
            ("figure-4.5",),
            partial(merging_does_best, federated=line),
            quick=True,
        )
        for name, over, line in (
            ("D28a", "the item's raters", "federated"),
            ("D28b", "all agents", "federated, all agents"),
        )
    ),
)
