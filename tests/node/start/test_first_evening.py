"""The benchmark's targets on one split of MovieLens-100K: people who took no part in the rows."""

from __future__ import annotations

import os
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from tacit.core.compiled.threads import Workers
from tests.benchmark_files import benchmark_file

DATA = Path(os.environ.get("TACIT_DATA", "nowhere")) / "movielens-100k.parquet"
needs_data = pytest.mark.skipif(not DATA.exists(), reason="TACIT_DATA has no movielens-100k.parquet")


@pytest.fixture(scope="module")
def benchmark() -> ModuleType:
    return benchmark_file("first_evening")


def test_hit_rate_by_hand(benchmark: ModuleType) -> None:
    """Above nobody, above everybody, and level with all: 19 of 100 others above with chance one half is rare."""
    others = np.arange(1, 101)
    scores = np.concatenate(([200.0], np.arange(1.0, 101.0)))
    assert benchmark.hit_rate(scores, np.array([0]), others) == pytest.approx(1.0)
    assert benchmark.hit_rate(-scores, np.array([0]), others) == pytest.approx(0.0)
    assert benchmark.hit_rate(np.zeros(101), np.array([0]), others) < 1e-9


@needs_data
def test_targets_are_met_on_one_split(benchmark: ModuleType) -> None:
    every = benchmark.measure("movielens-100k", "every rating", 1, Workers(1))
    for own, target in benchmark.TARGETS["movielens-100k", "every rating"].items():
        assert every[own][0] >= target, own
    liked = benchmark.measure("movielens-100k", "liked", 1, Workers(1))
    assert liked[1][0] >= liked[0][0] + benchmark.ONE_RATING
