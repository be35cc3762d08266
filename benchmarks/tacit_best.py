"""The first tables of docs/results/tacit-best.md: how good lists are, for how many bytes.

python benchmarks/tacit_best.py [OUT]        docs/results/tables if none is named; `make docs` then writes the page

15 % of each person's items are held out, and every held-out item is ranked among 100 others.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import tacit

DATA: dict[str, dict[str, Any]] = {
    "movielens-100k": {},
    "foursquare-nyc": {"data.min_user": 10, "data.min_item": 10},
}
GROUND = {"split": "random-share", "split.share": 0.15, "evaluate": "sampled"}
RUNS: list[tuple[str, dict[str, Any], int]] = [
    ("baseline/ials", {}, 3),
    ("tacit/federated", {}, 3),
    ("tacit/federated", {"model.k": 16, "rounds": 15}, 3),
    ("tacit/best", {}, 3),
    ("tacit/best", {"masks": 0, "rounds": 150}, 1),
    ("tacit/best", {"peers": "uniform", "rounds": 300}, 1),
    ("tacit/best", {"loss": 0.1, "rounds": 340}, 1),
]


def main(out: Path) -> None:
    """One table per data set, one row per run."""
    for data, limits in DATA.items():
        rows = [row(data, {**GROUND, **limits}, *run) for run in RUNS]
        pl.DataFrame(rows).write_csv(out / f"lists-{data}.csv")


def row(
    data: str, ground: dict[str, Any], recipe: str, settings: dict[str, Any], seeds: int
) -> dict[str, str]:
    """Means over the seeds."""
    runs = [
        tacit.run(recipe, data, settings={**ground, **settings}, seed=seed, keep_models=False, progress=False)
        for seed in range(seeds)
    ]
    hr = [run.metrics["hr@20"] for run in runs]
    users = [run.per_user["hr@20"].drop_nulls().to_numpy() for run in runs]
    sent = [run.cost.bytes_sent / len(run.per_user) for run in runs]
    words = " ".join(f"--set {key}={value}" for key, value in settings.items())
    found = {
        "run": f"`{recipe} {words}`".replace(" `", "`"),
        "seeds": str(seeds),
        "HR@20": f"{np.mean(hr):.4f}",
        "HR@20, standard deviation over seeds": f"{np.std(hr, ddof=1):.4f}" if seeds > 1 else "",
        "HR@20 of the tenth percentile of users": f"{np.mean([np.quantile(one, 0.1) for one in users]):.3f}",
        "users without a hit in %": f"{100 * np.mean([np.mean(one == 0) for one in users]):.1f}",
        "MB per node, downloads included": f"{np.mean(sent) / 1e6:.1f}",
    }
    print(data, *found.values(), flush=True)
    return found


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path("docs/results/tables"))
