"""Made-up results with the shape of real ones: 943 users, a curve of 150 points, several runs."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import polars as pl

from tacit.experiment.result import Cost, Result

USERS = 943
DATA = {
    "name": "movielens-100k",
    "users": USERS,
    "items": 1682,
    "interactions": 100_000,
    "sha256": "b05f4f0e5a2f5c0ea1dd2fc1b9bbd2ef8ed3ea43d36ea3b7cf08a4d2fbd2e1a7",
}
SPLIT = {"kind": "random-n", "n": 10, "train": 90_570, "test": 9_430}


def _spread(n: int, seed: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Numbers in (0, 1) that look random and are the same everywhere."""
    return np.array(
        [math.modf(math.sin((i + 1) * 12.9898 + seed * 78.233) * 43758.5453)[0] % 1 for i in range(n)]
    )


def make_result(
    recipe: str = "hegedus/gossip-merge",
    *,
    finals: dict[str, float] | None = None,
    seed: int = 0,
    megabytes: float = 12.4,
    points: int = 150,
    users: int = USERS,
    without_test: int = 0,
    shape: int = 0,
    notes: list[str] | None = None,
    **parameters: object,
) -> Result:
    """A run that ends at `finals` (metric -> value) after 48 virtual hours."""
    finals = {"rmse": 0.9432} if finals is None else finals
    bytes_sent = int(megabytes * 1e6 * users)
    curve = []
    for point in range(1, points + 1):
        share = point / points
        row = {"round": float(2 * point), "hours": 48 * share, "bytes": float(int(bytes_sent * share))}
        wobble = 1 + 0.004 * math.sin(point * (1.7 + shape + seed)) * (1 - share)
        for name, final in finals.items():
            start = 2.9 if name in ("rmse", "mae") else 0.05 * final
            row[name] = (final + (start - final) * math.exp(-9 * share)) * wobble
        row |= finals if point == points else {}
        curve.append(row)
    columns: dict[str, Any] = {
        "user": [str(1 + i) for i in range(users)],
        "train": [20 + (i * 37) % 400 for i in range(users)],
        "test": [0 if i < without_test else 10 for i in range(users)],
    }
    for offset, (name, final) in enumerate(finals.items()):
        u = _spread(users, 100 * shape + 10 * seed + offset)
        values = (
            final * (0.55 + 0.5 * u + 0.9 * u**4)
            if name in ("rmse", "mae")
            else np.clip(np.round(final * 2 * u, 1), 0, 1)
        )
        # What is shown of a run is what its users' values make.
        made = values[without_test:]
        if len(made):
            values = values * final / (np.sqrt(np.mean(made**2)) if name == "rmse" else np.mean(made))
        columns[name] = [None if i < without_test else float(v) for i, v in enumerate(values)]
    columns["bytes_sent"] = [bytes_sent // users] * users
    columns["messages"] = [300 if megabytes else 0] * users
    cost = Cost(
        bytes_sent=bytes_sent,
        messages=300 * users if megabytes else 0,
        node_rounds=300 * users,
        virtual_hours=48.0,
        wall_seconds=2.4,
        compile_seconds=1.3,
        peak_rss_mb=412.0,
    )
    settings = {"model": "mf", "model.k": 5, "model.rate": 0.01, "evaluate": "rating", "split": "random-n"}
    return Result(
        recipe=recipe,
        seed=seed,
        parameters=settings | {"hours": 48, "protocol": recipe.split("/")[1]} | parameters,
        data=DATA | {"users": users},
        split=SPLIT,
        metrics=finals,
        curve=curve,
        cost=cost,
        per_user=pl.DataFrame(columns),
        notes=notes or [],
    )


def rating_runs() -> list[Result]:
    """Three ways to learn the same ratings, as `tacit demo` compares them."""
    return [
        make_result("hegedus/gossip-merge", finals={"rmse": 0.9432, "mae": 0.7411}, megabytes=12.4),
        make_result("hegedus/federated", finals={"rmse": 0.9389, "mae": 0.7385}, megabytes=20.1, shape=1),
        make_result("baseline/central-mf", finals={"rmse": 0.9207, "mae": 0.7251}, megabytes=0.0, shape=2),
    ]


def ranking_runs() -> list[Result]:
    """Ranking metrics at several cut-offs, one run with the papers' negatives."""
    finals = {
        "hr@5": 0.31,
        "hr@10": 0.44,
        "hr@20": 0.61,
        "ndcg@10": 0.27,
        "ndcg@20": 0.33,
        "item_coverage@10": 0.41,
    }
    paper = {name: min(1.0, value * 1.4) for name, value in finals.items()}
    return [
        make_result("pepper/pepper", finals=finals, without_test=17, evaluate="sampled", negatives="honest"),
        make_result(
            "pepper/fedavg", finals=paper, without_test=17, evaluate="sampled", negatives="paper", shape=3
        ),
    ]
