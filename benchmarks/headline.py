"""The README's picture: HR@20 against bytes per device, by gossip, federation and a central server.

python benchmarks/headline.py [OUT]        docs/images/quality-against-bytes.png if none is named

MovieLens-100K, 15 % of each person's items held out, every held-out item ranked among 100 others, seed 0, honest
negatives. Lines follow a run from its first round to its last; a flat line is what one place with all the data reaches.
"""

from __future__ import annotations

import sys
from pathlib import Path

from matplotlib import rc_context
from matplotlib.figure import Figure

import tacit
from tacit.report.figures.image_files import to_png
from tacit.report.figures.style import STYLE, line_style

DATA, METRIC = "movielens-100k", "hr@20"
LINES = {
    "tacit/best": "tacit/best: gossip of masked sums, no server",
    "tacit/federated": "tacit/federated: the same sums with a server",
    "pepper/fedavg": "FedAvg (as in PEPPER)",
    "pepper/model-age": "gossip, merged by age",
    "pepper/pepper": "PEPPER",
}
FLAT = {"baseline/ials": "all data in one place (iALS)", "baseline/popular": "the most popular items"}
GROUND = {"split": "random-share", "split.share": 0.15, "evaluate": "sampled", "data.min_user": 1}


def main(out: Path) -> None:
    """Run everything, print the ends, draw."""
    with rc_context(STYLE):
        figure = Figure(figsize=(7.2, 4.2), layout="constrained", facecolor="white")
        axes = figure.add_subplot()
        for place, (recipe, label) in enumerate(LINES.items()):
            result = tacit.run(recipe, DATA, settings=GROUND)
            devices = result.data["users"]
            points = [
                (point["bytes"] / devices / 1e6, point[METRIC]) for point in result.curve if point["bytes"]
            ]
            axes.plot(*zip(*points, strict=True), label=label, **line_style(place))
            print(f"{recipe}: HR@20 {points[-1][1]:.3f} after {points[-1][0]:.1f} MB per device")
        for place, (recipe, label) in enumerate(FLAT.items()):
            value = tacit.run(recipe, DATA, settings=GROUND).metrics[METRIC]
            axes.axhline(value, color="0.4", linestyle=("dashed", "dotted")[place], linewidth=1.2)
            axes.annotate(
                label, (0.02, value), (0, 3), ("axes fraction", "data"), "offset points", fontsize=9
            )
            print(f"{recipe}: HR@20 {value:.3f}")
        axes.set(
            xscale="log",
            xlabel="MB sent per device",
            ylabel="HR@20, per held-out item among 100",
            ylim=(0, 1),
        )
        axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
        axes.legend(loc="lower right")
        to_png(figure, out)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path("docs/images/quality-against-bytes.png"))
