"""Chapter 3 of Dymbe: ensembles and federation on MNIST, as exhibits and claims D12 to D14 and D23.

Figure 3.7 is drawn with the table of MNIST.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, product

from tacit.core.settings import Value
from tacit.papers.base import (
    Chart,
    Claim,
    Exhibit,
    Finding,
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
)
