"""Claims D1 to D10 of Dymbe, and what our runs say. Thresholds are ours: the thesis argues from curves."""

from __future__ import annotations

import statistics
from itertools import pairwise

from tacit.experiment.result import Result
from tacit.papers.base import Claim, Finding, Outcomes, verdict
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
from tacit.papers.read_curves import at, mean_ending, points

SAME = 0.01
"""RMSE by which two ends may differ and still be called level."""
NOTHING = 0.002
"""RMSE below which a change is none."""
CLEAR = 0.03
Numbers = dict[str, float | None]


def _end(o: Outcomes, name: str, data: str = ML_100K) -> float:
    return mean_ending(o[wanted(o.quick, name, data)])


def _at(o: Outcomes, name: str, hour: float) -> float:
    return statistics.fmean(at(run, hour) for run in o[wanted(o.quick, name)])


def _best(runs: list[Result]) -> float:
    return statistics.fmean(min(y for _, y in points(run)) for run in runs)


def _there(o: Outcomes, eta: float = 0.1) -> list[str]:
    """The data sets that were at hand, by whether gossip with this eta_v was run."""
    return [data for data in datasets(o.quick) if o[clusters(o.quick, "shared-data", eta, 1, data)]]


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
    """D2: behind linear at 12 hours, level at the end."""
    early = _at(o, "keep oldest", 12) - _at(o, "linear", 12)
    late = _end(o, "keep oldest") - _end(o, "linear")
    level = "level" if abs(late) <= SAME else "ahead" if late < 0 else "behind"
    sentence = f"after 12 h keep oldest is {early:+.4f} from linear; at the end {late:+.4f}: {level}"
    numbers: Numbers = {"keep oldest minus linear at 12 h": early, "at the end": late}
    return Finding(verdict([early > 0, abs(late) <= SAME]), sentence, numbers)


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
    return Finding(verdict([early > 0, late < 0]), sentence, numbers)


def biases_match_the_full_model(o: Outcomes) -> Finding:
    """D5: end with and without vectors, original setting."""
    full, biases = _end(o, "linear"), _end(o, "biases")
    sentence = f"{biases:.4f} with biases only, {full:.4f} with vectors"
    return Finding(
        verdict([abs(full - biases) <= SAME]), sentence, {"biases and vectors": full, "biases only": biases}
    )


def a_start_from_data_helps(o: Outcomes) -> Finding:
    """D6: biases from the data against biases from 1; linear against exponential."""
    ends = {name: _end(o, name) for name in ("biases", "data", "data, exponential")}
    gain = ends["biases"] - ends["data"]
    sentence = f"gains {gain:.4f} ({ends['data']:.4f} against {ends['biases']:.4f}); with exponential "
    sentence += f"{ends['data, exponential']:.4f}"
    return Finding(verdict([gain >= CLEAR, ends["data, exponential"] > ends["data"]]), sentence, dict(ends))


def vectors_need_speed(o: Outcomes) -> Finding:
    """D7: what vectors gain at eta_v 0.01 (low and high bandwidth) and at 0.1, the last on every data set."""
    slow = _end(o, "data") - _end(o, "data, vectors")
    slow_high = _end(o, "data, high") - _end(o, "data, vectors, high")
    numbers: Numbers = {"gain at 0.01, low bandwidth": slow, "gain at 0.01, high bandwidth": slow_high}
    holding = [abs(slow) <= NOTHING, abs(slow_high) <= NOTHING]
    fast = []
    for data in _there(o):
        gain = _end(o, "data, high", data) - _end(o, "data, fast vectors, high", data)
        numbers[f"{TITLES[data]}: gain at 0.1, high bandwidth"] = gain
        holding.append(gain <= NOTHING if data == YAHOO else gain > NOTHING)
        fast.append(f"{gain:+.4f} on {TITLES[data]}")
    sentence = f"at 0.01 vectors gain {slow:+.4f} (low) and {slow_high:+.4f} (high); at 0.1 {', '.join(fast)}"
    return Finding(verdict(holding), sentence, numbers)


def central_stays_ahead(o: Outcomes) -> Finding:
    """D8: centralized with eta_v 0.01 against gossip with 0.1, at the end; best values beside."""
    numbers: Numbers = {}
    holding, sentences = [], []
    for data in _there(o):
        gossip, central = (o[wanted(o.quick, n, data)] for n in ("data, fast vectors, high", "central"))
        ends = mean_ending(gossip), mean_ending(central)
        numbers |= {f"{TITLES[data]}, gossip": ends[0], f"{TITLES[data]}, centralized": ends[1]}
        numbers |= {
            f"{TITLES[data]}, {n}, best": _best(r) for n, r in (("gossip", gossip), ("centralized", central))
        }
        holding.append(ends[1] < ends[0])
        sentences.append(
            f"{TITLES[data]}: centralized {ends[1]:.4f} (best {_best(central):.4f}), gossip {ends[0]:.4f}"
        )
    return Finding(verdict(holding), "; ".join(sentences), numbers)


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
            best_ok.append(_best(b) < _best(a) + NOTHING)
            end_ok.append(mean_ending(b) < mean_ending(a) + NOTHING)
    sentence = (
        f"the next larger size is no worse in {sum(best_ok)} of {len(best_ok)} steps by the best value on "
    )
    sentence += f"the curve, in {sum(end_ok)} by the value at the end (larger clusters overfit sooner)"
    return Finding(verdict([*best_ok, *end_ok]), sentence, numbers)


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
        "D1",
        "A complete or a 20-out graph makes no difference",
        f"{_END}; none: at most {SAME} apart",
        ("figure-4.6",),
        topology_does_not_matter,
    ),
    Claim(
        "D2",
        "Keep-oldest converges slower than linear merging and ends level",
        f"higher at 12 h; at the end at most {SAME} apart",
        ("figure-5.1",),
        keep_oldest_is_slower,
    ),
    Claim(
        "D3", "Higher polynomial degrees do slightly better", _END, ("figure-5.2",), higher_degrees_are_better
    ),
    Claim(
        "D4",
        "Exponential merging starts slower and ends better",
        "higher than linear at 6 h, lower at the end",
        ("figure-5.3",),
        exponential_ends_better,
    ),
    Claim(
        "D5",
        "With the original settings biases alone match the full model",
        f"{_END}; match: at most {SAME} apart",
        ("figure-5.5",),
        biases_match_the_full_model,
    ),
    Claim(
        "D6",
        "A data-based start improves clearly; exponential merging does not combine with it",
        f"{_END}; clearly: by {CLEAR} or more",
        ("figure-5.5", "figure-5.6"),
        a_start_from_data_helps,
    ),
    Claim(
        "D7",
        "At eta_v 0.01 vectors add nothing; at 0.1 with ten times the bandwidth they do, but for Yahoo R3",
        f"{_END}; nothing: at most {NOTHING}",
        ("figure-5.11", "figure-5.12", "figure-5.13"),
        vectors_need_speed,
    ),
    Claim(
        "D8",
        "Centralized learning (eta_v 0.01) stays ahead of gossip",
        _END,
        ("figure-6.2",),
        central_stays_ahead,
    ),
    Claim(
        "D9",
        "Larger shared-data clusters do better once eta_v is tuned",
        f"eta_v 0.01; a size is no worse than the next smaller one plus {NOTHING}, by best value and at the end",
        ("figure-6.4",),
        larger_clusters_do_better,
    ),
    Claim(
        "D10",
        "Federated clusters beat gossip on MovieLens-1M and Netflix; with these improvements so does federation",
        f"{_END}, every size against gossip",
        ("figure-6.5",),
        federated_clusters_beat_gossip,
    ),
)
