"""Chapter 3 of Dymbe: ensembles and federation on MNIST, as exhibits and claims D12 to D14 and D23 to D27.

Figure 3.7 is drawn with the table of MNIST.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise, product

import numpy as np
import numpy.typing as npt

from tacit.core.settings import Value
from tacit.experiment.result import Result
from tacit.papers.base import (
    Chart,
    Claim,
    Exhibit,
    Finding,
    NotRunError,
    Numbers,
    Outcomes,
    Row,
    Series,
    Wanted,
    mean_of,
    reference,
    value_of,
    verdict,
)
from tacit.papers.dymbe.runs import mnist

_MNIST: dict[tuple[str, str], tuple[str, dict[str, Value], float]] = {
    ("centralized baseline", "MLP, 5 epochs SGD, 12000 images"): ("central", {}, 1),
    ("weak model alone", "375 agents x 32 images, own initialization"): ("majority", {"vote": "own"}, 9),
    ("majority voting", "own initialization"): ("majority", {}, 9),
    ("model aggregation", "same initialization"): ("average", {}, 1),
    ("weak model alone", "same initialization"): ("majority", {"common": True, "vote": "own"}, 9),
    ("majority voting", "same initialization"): ("majority", {"common": True}, 9),
    ("model aggregation", "own initialization"): ("average", {"common": False}, 1),
    ("weighted majority", "beta=0.05"): ("weighted-majority", {}, 9),
    **{
        (f"weighted majority, {share}% biased segments", f"beta={beta}"): (
            "weighted-majority",
            {"stream.bias": share / 100, "vote.beta": float(beta)},
            9,
        )
        for share, beta in product((50, 100), ("0.05", "0.20"))
    },
    **{
        ("federated", f"C=1/{agents}" if agents > 1 else "C=1"): (
            "federated",
            {"participation": 1 / agents},
            1.0,
        )
        for agents in (375, 125, 75, 25, 15, 5, 3, 1)
    },
}
"""Our run for each line of the table: recipe, settings, about how many seconds."""
_FEW = ("C=1/375", "C=1/25", "C=1")
"""The shares of agents that --quick takes."""
_LEAST = 1.5
"""Percent points within which a line counts as the same, or two of the thesis' standard deviations if that is more."""


def mnist_rows(quick: bool) -> list[Row]:
    """Every printed number of tables 3.1 and 3.2 and of the text, with the run that is to give it again."""
    rows = []
    for line in reference("dymbe/printed_mnist"):
        key = line["experiment"], line["setting"]
        recipe, settings, seconds = _MNIST[key]
        if quick and recipe == "federated" and key[1] not in _FEW:
            continue
        printed = float(line["accuracy_pct"]) / 100
        near = max(_LEAST, 2 * float(line["std"])) / 100
        panel = "Federated, a share C of the agents at a time" if recipe == "federated" else "Ensembles"
        name = key[1] if recipe == "federated" else ", ".join(key)
        run = mnist(quick, recipe, settings, seconds)
        rows.append(Row(panel, name, run, "accuracy", printed, near / printed))
    return rows


def _stream(name: str, share: int) -> Exhibit:
    """Accuracy along the test stream, of which each segment is biased towards a digit by this many percent."""

    def rows(quick: bool) -> Sequence[Row]:
        order: dict[str, Value] = {"stream.bias": share / 100} if share else {}
        lines = {
            "centralized": mnist(quick, "central", order, 1),
            "weighted majority, beta 0.05": _weighted(quick, share, "0.05"),
            **({"weighted majority, beta 0.20": _weighted(quick, share, "0.20")} if share else {}),
            "majority voting": mnist(quick, "majority", order, 9),
        }
        return [Row("MNIST", line, run, "accuracy") for line, run in lines.items()]

    title = f"{share} % biased segments" if share else "all digits mixed"
    return Exhibit(
        f"figure-{name}", f"Figure {name}: accuracy along the stream, {title}", rows, inside="stream"
    )


_CENTRAL = ("centralized baseline", "MLP, 5 epochs SGD, 12000 images")
_WEIGHTED = ("weighted majority", "beta=0.05")
_MAJORITY = ("majority voting", "own initialization")
_ONE_AT_A_TIME = ("federated", "C=1/375")
BETAS = ("0.05", "0.20")
ENSEMBLES = tuple(
    line
    for line in _MNIST
    if line[0].startswith(("majority", "model aggregation", "weighted")) and "100%" not in line[0]
)
"""Ways to combine models, without the segments of one digit, where the thesis has weighted majority ahead."""
HARDLY = 0.05
"""Accuracy by which two values of beta may differ: the thesis' own differ by 0.034 and "not much"."""
SLIGHTLY = 0.1
"""Accuracy below which a gain is slight: the thesis' own is 0.065, and that of majority voting 0.47."""


def _weighted(quick: bool, share: int, beta: str) -> Wanted:
    what = f"weighted majority, {share}% biased segments" if share else "weighted majority"
    return mnist(quick, *_MNIST[what, f"beta={beta}"])


_APART, _SINGLE = "aggregate:apart", "aggregate:single_apart"
"""Metrics that the evaluation of averaged parameters adds."""
SIMILAR = 0.2
"""The part of a single model's distance from the mean output that counts as very near to it."""


def _aggregated(quick: bool) -> Wanted:
    return mnist(quick, *_MNIST["model aggregation", "same initialization"])


def _output_rows(quick: bool) -> list[Row]:
    names = {_APART: "aggregated model", _SINGLE: "one of the 375 models"}
    return [
        Row("Output against the mean output of 375 models", names[m], _aggregated(quick), m) for m in names
    ]


def _output_charts(o: Outcomes) -> list[Chart]:
    """Two test images, as in figure 3.3."""
    charts = []
    for run in o.get(_aggregated(o.quick))[:1]:
        for n, example in enumerate(run.more.get("aggregate", {}).get("examples", ()), start=1):
            bars = [
                Series(title, list(enumerate(map(float, example[key]))))
                for key, title in (("aggregated", "aggregated model"), ("mean", "mean of 375 outputs"))
            ]
            title = f"Output for test image {n}"
            charts.append(
                Chart(f"output-{n}", title, "", "Probability", bars, "bars", categories="0123456789")
            )
    return charts


IMAGE_EXHIBITS = (
    Exhibit(
        "mnist",
        "MNIST: chapter 3 with tables 3.1 and 3.2",
        mnist_rows,
        over="rounds",
        covers=("table-3.1", "table-3.2", "figure-3.7"),
    ),
    Exhibit("figure-3.3", "Figure 3.3: the aggregated model's output", _output_rows, charts=_output_charts),
    _stream("3.4", 0),
    _stream("3.5", 50),
    _stream("3.6", 100),
)


def fewer_agents_do_better(o: Outcomes) -> Finding:
    """D12: accuracy along C, of those shares that were run."""
    runs = {
        r.name: mean_of(o[r.wanted], "accuracy") or 0.0
        for r in mnist_rows(o.quick)
        if r.name.startswith("C=")
    }
    holding = [a > b for a, b in pairwise(runs.values())]
    sentence = ", ".join(f"{name} {value:.4f}" for name, value in runs.items())
    return Finding(verdict(holding), sentence, dict(runs))


def weights_beat_the_centre(o: Outcomes) -> Finding:
    """D13: weighted majority with beta 0.20 where each segment has one digit."""
    found = {
        "weighted majority, beta 0.05": mean_of(o[_weighted(o.quick, 100, "0.05")], "accuracy") or 0.0,
        "weighted majority, beta 0.20": mean_of(o[_weighted(o.quick, 100, "0.20")], "accuracy") or 0.0,
        "centralized": mean_of(o[mnist(o.quick, "central", {"stream.bias": 1.0}, 1)], "accuracy") or 0.0,
    }
    sentence = ", ".join(f"{name} {value:.4f}" for name, value in found.items())
    return Finding(
        verdict([found["weighted majority, beta 0.20"] > found["centralized"]]), sentence, dict(found)
    )


def the_aggregate_says_what_all_say(o: Outcomes) -> Finding:
    """D14: how far the aggregated model's output is from the mean of all outputs, beside a single model's."""
    numbers: dict[str, float | None] = {}
    holding = []
    for n, run in enumerate(o[_aggregated(o.quick)]):
        apart, single = value_of(run, _APART), value_of(run, _SINGLE)
        if apart is not None and single is not None:
            numbers |= {f"run {n}: aggregated model": apart, f"run {n}: a single model": single}
            holding.append(apart <= SIMILAR * single)
    sentence = f"very near in {sum(holding)} of {len(holding)} runs"
    return Finding(verdict(holding), sentence, numbers)


def _starts_compared(o: Outcomes, way: str, better: str, worse: str) -> Finding:
    """D23: accuracy with two kinds of start, where models are combined in one way."""
    found = {
        start: mean_of(o[mnist(o.quick, *_MNIST[way, start])], "accuracy") or 0.0 for start in (better, worse)
    }
    sentence = ", ".join(f"{start} {value:.4f}" for start, value in found.items())
    return Finding(verdict([found[better] > found[worse] + _LEAST / 100]), sentence, dict(found))


def _accuracy(o: Outcomes, way: str, setting: str) -> float:
    """Of a line of the table, over the whole stream."""
    found = mean_of(o[mnist(o.quick, *_MNIST[way, setting])], "accuracy")
    if found is None:
        raise NotRunError(way)
    return found


def _told(numbers: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {value:.4f}" for name, value in numbers.items())


def weights_beat_majority(o: Outcomes) -> Finding:
    """D24a: both with initializations of their own and digits mixed."""
    weighted, majority = _accuracy(o, *_WEIGHTED), _accuracy(o, *_MAJORITY)
    found = {"weighted majority, beta 0.05": weighted, "majority voting": majority}
    return Finding(verdict([weighted > majority + _LEAST / 100]), _told(found), found)


def weights_stay_below_the_centre(o: Outcomes) -> Finding:
    """D24b: digits mixed."""
    weighted, central = _accuracy(o, *_WEIGHTED), _accuracy(o, *_CENTRAL)
    found = {"weighted majority, beta 0.05": weighted, "centralized": central}
    return Finding(verdict([weighted < central - _LEAST / 100]), _told(found), found)


def the_centre_leads_throughout(o: Outcomes) -> Finding:
    """D25a: the moving averages of figure 3.5, point by point, each the mean over the seeds."""
    central = _along(o[mnist(o.quick, "central", {"stream.bias": 0.5}, 1)])
    numbers: Numbers = {}
    holding = []
    for beta in BETAS:
        lead = central - _along(o[_weighted(o.quick, 50, beta)])
        numbers[f"beta {beta}: the smallest lead of the centralized model"] = float(lead.min())
        holding.append(bool(lead.min() > 0))
    leads = ", ".join(f"{value:+.4f}" for value in numbers.values())
    return Finding(verdict(holding), f"its smallest lead along the stream is {leads}", numbers)


def _along(runs: Sequence[Result]) -> npt.NDArray[np.float64]:
    """The mean moving average along the stream; `NotRunError` where the runs have none."""
    lines = [run.more["stream"]["accuracy"] for run in runs if "stream" in run.more]
    if not lines:
        raise NotRunError("stream")
    mean: npt.NDArray[np.float64] = np.mean(lines, axis=0, dtype=np.float64)
    return mean


def beta_hardly_matters(o: Outcomes) -> Finding:
    """D25b: where segments are biased by half."""
    way = "weighted majority, 50% biased segments"
    found = {f"beta {beta}": _accuracy(o, way, f"beta={beta}") for beta in BETAS}
    apart = max(found.values()) - min(found.values())
    return Finding(verdict([apart <= HARDLY]), f"{100 * apart:.1f} points apart ({_told(found)})", found)


def _mean_and_single(o: Outcomes) -> tuple[float, float]:
    """The model with mean parameters and a single one, both from a common initialization."""
    start = "same initialization"
    return _accuracy(o, "model aggregation", start), _accuracy(o, "weak model alone", start)


def the_mean_beats_a_single_model(o: Outcomes) -> Finding:
    """D26a."""
    mean, single = _mean_and_single(o)
    found = {"mean parameters": mean, "a single model": single}
    return Finding(verdict([mean > single + _LEAST / 100]), _told(found), found)


def the_mean_gains_little(o: Outcomes) -> Finding:
    """D26b."""
    mean, single = _mean_and_single(o)
    gain = mean - single
    return Finding(verdict([0 < gain < SLIGHTLY]), f"it gains {100 * gain:.1f} points", {"gain": gain})


def one_agent_at_a_time_is_the_centre(o: Outcomes) -> Finding:
    """D27a: the smallest share C against the centralized model."""
    alone, central = _accuracy(o, *_ONE_AT_A_TIME), _accuracy(o, *_CENTRAL)
    found = {"C=1/375": alone, "centralized": central}
    return Finding(verdict([abs(alone - central) <= _LEAST / 100]), _told(found), found)


def federated_is_best_overall(o: Outcomes) -> Finding:
    """D27b: federated learning at its best against every ensemble."""
    return _above_ensembles(o, _ONE_AT_A_TIME, "C=1/375")


def the_centre_beats_all_ensembles(o: Outcomes) -> Finding:
    """D27c: the centralized model against the same."""
    return _above_ensembles(o, _CENTRAL, "centralized")


def _above_ensembles(o: Outcomes, line: tuple[str, str], name: str) -> Finding:
    """A line against those of all ensembles, segments of one digit left out."""
    own = _accuracy(o, *line)
    others = {", ".join(other): _accuracy(o, *other) for other in ENSEMBLES}
    holding = [own > value for value in others.values()]
    best = max(others.values())
    sentence = (
        f"{name} {own:.4f} is above {sum(holding)} of {len(holding)} ensembles, the best of them {best:.4f}"
    )
    return Finding(verdict(holding), sentence, {name: own, **others})


_EXCEPT = "Segments of one digit are left out, as the thesis excepts them"
IMAGE_CLAIMS = (
    Claim(
        "D12",
        "The fewer agents take part in a round of federated learning, the better",
        "section 3.6, table 3.2",
        "accuracy falls with every larger share C",
        ("mnist",),
        fewer_agents_do_better,
        quick=True,
    ),
    Claim(
        "D13",
        "Weighted majority (beta 0.20) beats the centralized model where each segment has one digit",
        "section 3.5, table 3.1, figure 3.6",
        "accuracy over the whole stream",
        ("figure-3.6",),
        weights_beat_the_centre,
    ),
    Claim(
        "D14",
        "A model with mean parameters says nearly what all models say on average",
        "section 3.3, figure 3.3",
        f"total variation from the mean output, mean over test images: at most {SIMILAR} times a single model's",
        ("figure-3.3",),
        the_aggregate_says_what_all_say,
        quick=True,
    ),
    Claim(
        "D23a",
        "A common initialization helps the model with mean parameters",
        "section 3.3",
        f"accuracy higher than with initializations of their own by more than {_LEAST} points",
        ("mnist",),
        lambda o: _starts_compared(o, "model aggregation", "same initialization", "own initialization"),
        quick=True,
    ),
    Claim(
        "D23b",
        "A diverse initialization helps majority voting",
        "section 3.3",
        f"accuracy higher than with a common initialization by more than {_LEAST} points",
        ("mnist",),
        lambda o: _starts_compared(o, "majority voting", "own initialization", "same initialization"),
        quick=True,
    ),
    Claim(
        "D24a",
        "Weighted majority beats majority voting",
        "section 3.4, figure 3.4",
        f"accuracy with beta 0.05 higher by more than {_LEAST} points, digits mixed",
        ("figure-3.4",),
        weights_beat_majority,
        quick=True,
    ),
    Claim(
        "D24b",
        "Weighted majority does not reach the centralized model",
        "section 3.4, figure 3.4",
        f"accuracy with beta 0.05 lower by more than {_LEAST} points, digits mixed",
        ("figure-3.4",),
        weights_stay_below_the_centre,
        quick=True,
    ),
    Claim(
        "D25a",
        "Where segments are biased by half the centralized model leads throughout",
        "section 3.5, figure 3.5",
        "the moving average over 500 images, mean over seeds, is above that of weighted majority at every point",
        ("figure-3.5",),
        the_centre_leads_throughout,
    ),
    Claim(
        "D25b",
        "Where segments are biased by half beta hardly matters",
        "section 3.5, table 3.1, figure 3.5",
        f"accuracies with beta 0.05 and 0.20 at most {100 * HARDLY:.0f} points apart (in table 3.1: 3.4)",
        ("figure-3.5",),
        beta_hardly_matters,
    ),
    Claim(
        "D26a",
        "A model with mean parameters does better than the single models",
        "section 3.3",
        f"accuracy higher by more than {_LEAST} points, all from a common initialization",
        ("mnist",),
        the_mean_beats_a_single_model,
        quick=True,
    ),
    Claim(
        "D26b",
        "It does so only slightly",
        "section 3.3",
        f"it gains less than {100 * SLIGHTLY:.0f} points (in the thesis: 6.5)",
        ("mnist",),
        the_mean_gains_little,
        quick=True,
    ),
    Claim(
        "D27a",
        "Federated learning with one agent at a time is almost the centralized model",
        "section 3.6, table 3.2",
        f"accuracies at most {_LEAST} points apart",
        ("mnist",),
        one_agent_at_a_time_is_the_centre,
        quick=True,
    ),
    Claim(
        "D27b",
        "Federated learning is better overall than ensembles",
        "section 3.7, tables 3.1 and 3.2",
        f"accuracy with C = 1/375 above that of every ensemble. {_EXCEPT}",
        ("mnist",),
        federated_is_best_overall,
    ),
    Claim(
        "D27c",
        "The centralized model, too, is better than all ensembles",
        "section 3.7, table 3.1",
        f"accuracy above that of every ensemble. {_EXCEPT}",
        ("mnist",),
        the_centre_beats_all_ensembles,
    ),
)
