"""The rule for the weights of `tacit/best` against a search: the table "The rule" of docs/results/tacit-best.md.

python benchmarks/weights_rule.py [OUT]        docs/results/tables if none is named; `make docs` then writes the page

`tacit/federated` has the same rule and, without waiting for gossip, the same sums. Sixteen pairs of weights around the
rule's are tried on a validation part. The best pair and the rule are measured on the test part, with seed 0.
"""

from __future__ import annotations

import sys
from itertools import product
from pathlib import Path
from typing import Any

import polars as pl

import tacit
from tacit.core.math.als_solver import by_rule
from tacit.experiment.prepare import prepare

RECIPE = "tacit/federated"
TIMES_W0, TIMES_REG = (0.5, 1.0, 2.0, 4.0), (0.3, 0.7, 1.0, 1.5)
SAMPLED = {"split": "random-share", "split.share": 0.15, "evaluate": "sampled", "data.min_user": 0}
FULL = {"split": "temporal", "split.share": 0.2, "evaluate": "full", "data.min_user": 20}
TEN = {"data.min_user": 10, "data.min_item": 10}
CASES: list[tuple[str, str, str, dict[str, Any]]] = [
    ("MovieLens-100K", "movielens-100k", "hr@20", SAMPLED),
    ("MovieLens-100K", "movielens-100k", "precision@10", FULL),
    ("MovieLens-1M", "movielens-1m", "hr@20", SAMPLED),
    ("MovieLens-1M", "movielens-1m", "precision@10", FULL),
    ("Amazon Digital Music", "amazon-digital-music", "hr@20", SAMPLED),
    ("Amazon Digital Music", "amazon-digital-music", "precision@10", FULL),
    ("Foursquare-NYC, 10 or more", "foursquare-nyc", "precision@10", {**FULL, **TEN}),
    ("Foursquare-NYC, every place", "foursquare-nyc", "hr@20", SAMPLED),
    ("Foursquare-Italy, 20 or more", "foursquare-italy", "precision@10", FULL),
    ("Gowalla-NYC, every place", "gowalla-nyc", "hr@20", SAMPLED),
]


def row(title: str, data: str, metric: str, ground: dict[str, Any]) -> dict[str, str]:
    """One line of the table."""
    w0, reg = _rule(data, ground, "validation")
    pairs = [(min(1.0, a * w0), b * reg) for a, b in product(TIMES_W0, TIMES_REG)]
    best = max(pairs, key=lambda pair: _measured(data, metric, ground, "validation", pair))
    rule = _rule(data, ground, "test")
    found = {
        "data": title,
        "metric": {"hr@20": "HR@20", "precision@10": "P@10"}[metric],
        "by rule": f"{_measured(data, metric, ground, 'test', rule):.4f}",
        "best of the grid": f"{_measured(data, metric, ground, 'test', best):.4f}",
        "w0 by rule": f"{rule[0]:.3f}",
        "w0 of the best": f"{best[0]:.3f}",
        "reg by rule": f"{rule[1]:.2f}",
        "reg of the best": f"{best[1]:.2f}",
    }
    print(*found.values(), flush=True)
    return found


def _rule(data: str, ground: dict[str, Any], on: str) -> tuple[float, float]:
    train = prepare(RECIPE, data, {**ground, "evaluate.on": on}).split.train
    return by_rule(len(train) / train.users, train.items)


def _measured(data: str, metric: str, ground: dict[str, Any], on: str, pair: tuple[float, float]) -> float:
    settings = {**ground, "evaluate.on": on, "evaluate.points": 1, "model.w0": pair[0], "model.reg": pair[1]}
    run = tacit.run(RECIPE, data, settings=settings, keep_models=False, progress=False)
    value = run.metrics[metric]
    assert value is not None
    return value


def main(out: Path) -> None:
    """The whole table."""
    pl.DataFrame([row(*case) for case in CASES]).write_csv(out / "rule.csv")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path("docs/results/tables"))
