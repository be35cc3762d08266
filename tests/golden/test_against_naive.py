"""The simulator and the naive reference share nothing but the paper, and agree.

They draw from different generators in different precision, so single runs differ; means over a few seeds do not.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from tacit.core.interactions import Interactions
from tests.golden import fast
from tests.golden import naive_hegedus as naive

USERS, ITEMS = 60, 80
FULL_SECONDS = 400.0
OUR_SEEDS, THEIR_SEEDS = 20, 5
"""Ours are cheap, and the more there are the less is left to chance."""


@cache
def split() -> tuple[Interactions, Interactions]:
    """Ratings 1 to 5 with tastes, popularity and noise in them; 10 test ratings per user."""
    rng = np.random.default_rng(5)
    taste = rng.normal(size=(USERS, 2)) @ rng.normal(size=(2, ITEMS))
    liked = 3.4 + 0.5 * taste + rng.normal(scale=0.4, size=ITEMS) + rng.normal(scale=0.4, size=(USERS, 1))
    rating = np.clip(np.round(liked + rng.normal(scale=0.5, size=liked.shape)), 1, 5)
    user, item = (rng.random((USERS, ITEMS)) < 0.45).nonzero()
    table = Interactions.from_pairs(user, item, rating[user, item], users=USERS, items=ITEMS)
    return naive.random_10(table, 0)


@cache
def sessions() -> list[list[tuple[float, float]] | None]:
    """Everybody is there at first, then comes and goes: about one transfer in seven is lost.

    A node that has just arrived for the first time predicts at random, and a single one of them would move the
    mean more than anything worth testing.
    """
    rng = np.random.default_rng(6)
    made: list[list[tuple[float, float]] | None] = []
    for _ in range(USERS):
        t = 900 + rng.exponential(2000)
        spans = [(0.0, t)]
        while t < 3 * 3600:
            begin = t + rng.exponential(1200)
            t = begin + rng.exponential(4000)
            spans.append((begin, t))
        made.append(spans)
    return made


CASES = [
    (algorithm, epochs, start, churn)
    for algorithm in naive.ALGORITHMS
    for epochs in (1, 10)
    for start in ("staggered", "synchronous")
    for churn in (False, True)
    if algorithm.startswith("gossip") or start == "staggered"  # federated rounds start at 0 either way
]


@pytest.mark.parametrize(("algorithm", "epochs", "start", "churn"), CASES)
def test_mean_rmse_agrees(algorithm: str, epochs: int, start: str, churn: bool) -> None:
    train, test = split()
    # 10 % messages come ten times as often, and each costs the naive simulator as much as a whole one.
    hours = (0.35, 0.4, 0.45, 0.5) if algorithm == "gossip-10" else (1.2, 1.4, 1.6, 1.8)
    means, sent = [], []
    for simulate, seeds in ((fast.simulate, OUR_SEEDS), (naive.simulate, THEIR_SEEDS)):
        runs = [
            simulate(
                algorithm, train, test, epochs=epochs, start=start, online=sessions() if churn else None,
                seed=seed, eta=0.02, full_seconds=FULL_SECONDS, eval_hours=hours,
            )
            for seed in range(seeds)
        ]  # fmt: skip
        means.append(np.mean([[point["rmse"] for point in run] for run in runs]))
        sent.append(np.mean([run[-1]["messages"] for run in runs]))
    assert means[0] == pytest.approx(means[1], abs=0.02)
    assert sent[0] == pytest.approx(sent[1], rel=0.02)


@pytest.mark.parametrize("algorithm", ["gossip", "gossip-merge", "federated"])
def test_lazy_predictions_agree(algorithm: str) -> None:
    """Rows nobody near has updated count as missing; without merging a node also loses rows it once had."""
    train, test = split()
    means = [
        np.mean(
            [
                [
                    point["rmse"]
                    for point in simulate(algorithm, train, test, eval_hours=(2, 3, 4), lazy=True, seed=seed)
                ]
                for seed in range(10)
            ],
            axis=0,
        )
        for simulate in (fast.simulate, naive.simulate)
    ]
    assert means[0] == pytest.approx(means[1], abs=0.05)


FOLDER = Path(os.environ.get("TACIT_DATA", "nowhere"))


@pytest.mark.parametrize(
    ("algorithm", "hours"), [("gossip-merge", (5.0, 10.0, 24.0)), ("federated-10", (5.0, 10.0, 24.0, 48.0))]
)
def test_curves_on_movielens_100k_agree(algorithm: str, hours: tuple[float, ...]) -> None:
    """With 943 users a single run says enough. 48 hours of naive gossip would take a minute; 24 have to do."""
    path = FOLDER / "movielens-100k.parquet"
    if not path.is_file():
        pytest.skip("TACIT_DATA has no movielens-100k.parquet")
    train, test = naive.random_10(naive.read(str(path)), 0)
    ours = fast.simulate(algorithm, train, test, eval_hours=hours)
    theirs = naive.simulate(algorithm, train, test, eval_hours=hours)
    assert [point["rmse"] for point in ours] == pytest.approx([point["rmse"] for point in theirs], abs=0.01)
    assert ours[-1]["messages"] == pytest.approx(theirs[-1]["messages"], rel=0.001)
