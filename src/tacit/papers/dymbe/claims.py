"""Claims D0 to D11 of Dymbe, about ratings, and what our runs say. Thresholds are ours: it argues from curves."""

from __future__ import annotations

import statistics
from itertools import pairwise

from tacit.experiment.result import Result
from tacit.papers.base import Claim, Finding, Outcomes, verdict
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
"""RMSE below which a change is none."""
CLEAR = 0.03
Numbers = dict[str, float | None]


def _end(o: Outcomes, name: str, data: str = ML_100K) -> float:
    return mean_ending(o[wanted(o.quick, name, data)])


def _at(o: Outcomes, name: str, hour: float) -> float:
    return statistics.fmean(at(run, hour) for run in o[wanted(o.quick, name)])


def _best(runs: list[Result]) -> float:
    return statistics.fmean(best(run) for run in runs)


def _there(o: Outcomes, eta: float = 0.1) -> list[str]:
    """The data sets that were at hand, by whether gossip with this eta_v was run."""
    return [data for data in datasets(o.quick) if o[clusters(o.quick, "shared-data", eta, 1, data)]]


def _linear_and_federated(o: Outcomes) -> dict[str, tuple[list[Result], list[Result]]]:
    """Runs of gossip with linear merging and of federated learning, on each data set that was at hand."""
    found = {
        TITLES[data]: (o.get(wanted(o.quick, "linear", data)), o.get(wanted(o.quick, "federated", data)))
        for data in datasets(o.quick)
    }
    return {title: both for title, both in found.items() if all(both)}


def gossip_beats_federated(o: Outcomes) -> Finding:
    """D0: gossip with linear merging against federated learning, hour by hour."""
    numbers: Numbers = {}
    holding, sentences = [], []
    for title, (gossip, federated) in _linear_and_federated(o).items():
        told = []
        for hour in HOURS:
            ours, theirs = (statistics.fmean(at(run, hour) for run in runs) for runs in (gossip, federated))
            numbers |= {f"{title}, {hour} h: gossip": ours, f"{title}, {hour} h: federated": theirs}
            holding.append(ours < theirs)
            told.append(f"{ours:.3f} and {theirs:.3f} at {hour} h")
        sentences.append(f"{title}: gossip and federated {', '.join(told)}")
    return Finding(verdict(holding), "; ".join(sentences), numbers)


def a_simple_baseline_is_better(o: Outcomes) -> Finding:
    """D11: the mean and biases of users and items, learned in one place, against both."""
    numbers: Numbers = {}
    holding = []
    for title, both in _linear_and_federated(o).items():
        data = next(name for name, known in TITLES.items() if known == title)
        simple = numbers[f"{title}: mean and biases"] = mean_ending(
            o[wanted(o.quick, "simple baseline", data)]
        )
        for name, runs in zip(("gossip", "federated"), both, strict=True):
            end = numbers[f"{title}: {name}"] = mean_ending(runs)
            holding.append(simple < end)
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
    return Finding(verdict([early > 0]), f"after 12 h keep oldest is {early:+.4f} from linear", numbers)


def keep_oldest_ends_level(o: Outcomes) -> Finding:
    """D2b."""
    late = _end(o, "keep oldest") - _end(o, "linear")
    level = "level" if abs(late) <= SAME else "ahead" if late < 0 else "behind"
    sentence = f"at the end keep oldest is {late:+.4f} from linear: {level}"
    return Finding(verdict([abs(late) <= SAME]), sentence, {"keep oldest minus linear at the end": late})


def higher_degrees_are_better(o: Outcomes) -> Finding:
    """D3: ends of degree 1, 2, 3."""
    ends = {name: _end(o, name) for name in ("linear", "quadratic", "cubic")}
    sentence = ", ".join(f"{name} {end:.4f}" for name, end in ends.items())
    return Finding(verdict([b < a for a, b in pairwise(ends.values())]), sentence, dict(ends))


def exponential_ends_better(o: Outcomes) -> Finding:
    """D4: behind linear at 6 hours, ahead at the end."""
    early = _at(o, "exponential", 6) - _at(o, "linear", 6)
    late = _end(o, "exponential") - _end(o, "linear")
    sentence = f"after 6 h exponential is {early:+.4f} from linear, at the end {late:+.4f}"
    numbers: Numbers = {"exponential minus linear at 6 h": early, "at the end": late}
    return Finding(verdict([early > 0 and late < 0]), sentence, numbers)


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
    return Finding(verdict([ends["data, exponential"] > ends["data"]]), sentence, dict(ends))


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
    for data in _there(o):
        gain = _end(o, "data, high", data) - _end(o, "data, fast vectors, high", data)
        numbers[f"{TITLES[data]}: gain at 0.1, high bandwidth"] = gain
        holding.append(gain <= NOTHING if data == YAHOO else gain > NOTHING)
        told.append(f"{gain:+.4f} on {TITLES[data]}")
    return Finding(verdict(holding), f"at 0.1 vectors gain {', '.join(told)}", numbers)


def central_stays_ahead(o: Outcomes) -> Finding:
    """D8: centralized with eta_v 0.01 against gossip with 0.1, at the end of every split."""
    numbers: Numbers = {}
    holding = []
    for data in _there(o):
        gossip, central = (o[wanted(o.quick, n, data)] for n in ("data, fast vectors, high", "central"))
        for a, b in zip(gossip, central, strict=True):
            numbers |= {
                f"{TITLES[data]}, seed {a.seed}, gossip": ending(a),
                f"{TITLES[data]}, seed {a.seed}, centralized": ending(b),
            }
            holding.append(ending(b) < ending(a))
    sentence = f"centralized ends lower on {sum(holding)} of {len(holding)} splits"
    return Finding(verdict(holding), sentence, numbers)


def larger_clusters_do_better(o: Outcomes) -> Finding:
    """D9: shared-data clusters at eta_v 0.01, each size against the next smaller one: best value, and end."""
    numbers: Numbers = {}
    best_ok, end_ok = [], []
    for data in _there(o, 0.01):
        sizes = FEW_SIZES if o.quick or data != ML_100K else SIZES
        runs = {size: o[clusters(o.quick, "shared-data", 0.01, size, data)] for size in sizes}
        for size, found in runs.items():
            numbers[f"{TITLES[data]}, at most {size_name(size)}, best"] = _best(found)
            numbers[f"{TITLES[data]}, at most {size_name(size)}, end"] = mean_ending(found)
        for a, b in pairwise(runs.values()):
            best_ok.append(_best(b) < _best(a))
            end_ok.append(mean_ending(b) < mean_ending(a))
    sentence = (
        f"the next larger size ends lower in {sum(end_ok)} of {len(end_ok)} steps; by the best value on the "
    )
    sentence += f"curve it is lower in {sum(best_ok)} (larger clusters overfit sooner)"
    return Finding(verdict(end_ok), sentence, numbers)


def federated_clusters_beat_gossip(o: Outcomes) -> Finding:
    """D10: ends of federated clusters of every size against gossip, on the larger data sets."""
    numbers: Numbers = {}
    holding, sentences = [], []
    for data in _there(o):
        gossip = mean_ending(o[clusters(o.quick, "federated", 0.1, 1, data)])
        ends = {
            size: mean_ending(o[clusters(o.quick, "federated", 0.1, size, data)])
            for size in (FEW_SIZES if o.quick or data != ML_100K else SIZES)
            if size > 1
        }
        numbers[f"{TITLES[data]}, gossip"] = gossip
        numbers |= {f"{TITLES[data]}, at most {size_name(size)}": end for size, end in ends.items()}
        lower = [size_name(size) for size, end in ends.items() if end < gossip]
        sentences.append(
            f"{TITLES[data]}: gossip {gossip:.4f}, federated {ends[EVERYBODY]:.4f}, "
            f"lower than gossip with clusters of {', '.join(lower) or 'no size'}"
        )
        if data in (ML_1M, NETFLIX):
            holding += [end < gossip for end in ends.values()]
    if not holding:
        sentences.append("the claim is about MovieLens-1M and Netflix: run without --quick")
    return Finding(verdict(holding), "; ".join(sentences), numbers)


_END = "mean RMSE of the last two virtual hours"
CLAIMS = (
    Claim(
        "D0",
        "Gossip does better than federated learning",
        "sections 4.3 and 4.6 (RQ2), figure 4.5",
        f"RMSE of gossip with linear merging below federated learning's after {', '.join(map(str, HOURS))} hours",
        ("figure-4.5",),
        gossip_beats_federated,
        quick=True,
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
        "higher at 12 h",
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
        "D3",
        "Higher polynomial degrees do slightly better",
        "section 5.1.2, figure 5.2",
        f"{_END}, each degree below the next lower one",
        ("figure-5.2",),
        higher_degrees_are_better,
        quick=True,
    ),
    Claim(
        "D4",
        "Exponential merging starts slower and ends better",
        "section 5.1.3, figure 5.3",
        "higher than linear at 6 h, and lower at the end",
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
        f"{_END}, higher than with linear merging",
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
        f"{_END}, lower by more than {NOTHING}",
        ("figure-5.13",),
        fast_vectors_do,
    ),
    Claim(
        "D8",
        "Centralized learning (eta_v 0.01) stays ahead of gossip",
        "section 6.1, figure 6.2",
        f"{_END}, on every split",
        ("figure-6.2",),
        central_stays_ahead,
    ),
    Claim(
        "D9",
        "Larger shared-data clusters do better once eta_v is tuned",
        "section 6.2, figure 6.4",
        f"eta_v 0.01; {_END}, each size below the next smaller one",
        ("figure-6.4",),
        larger_clusters_do_better,
    ),
    Claim(
        "D10",
        "Federated clusters beat gossip on MovieLens-1M and Netflix; with these improvements so does federation",
        "section 6.3, figure 6.5",
        f"{_END}, every size against gossip",
        ("figure-6.5",),
        federated_clusters_beat_gossip,
    ),
    Claim(
        "D11",
        "A simple centralized baseline (mean and biases) beats both gossip and federated learning",
        "section 4.5",
        _END,
        ("figure-4.5",),
        a_simple_baseline_is_better,
        quick=True,
    ),
    *IMAGE_CLAIMS,
)
