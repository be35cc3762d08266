"""A small version of `benchmarks/circle_replication.py`: few trials, few people."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

pytest.importorskip("cryptography", reason="cryptography is not installed")

from tests.benchmark_files import benchmark_file


@pytest.fixture(scope="module")
def benchmark() -> ModuleType:
    return benchmark_file("circle_replication")


def test_lists_reach_everybody_although_people_are_rarely_on(benchmark: ModuleType, tmp_path: Path) -> None:
    five = benchmark.circle(tmp_path / "five", 5, 3)
    for trial in range(3):
        days = benchmark.days_until_all(five, tmp_path / "trial", benchmark.evenings, trial)
        assert days <= 5
    assert benchmark.days_until_all(five, tmp_path / "trial", benchmark.one_always_on, 0) <= 2


def test_a_day_costs_little(benchmark: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three people always on for two hours: 500 likes each travel once, then ten new ones each, then 60 of one."""
    monkeypatch.setattr(benchmark, "DAY", 7_200.0)
    first, later, evening = benchmark.bytes_per_day(tmp_path / "three", 3)
    assert first < 40_000
    assert later < 80_000
    assert evening < 120_000  # 90,569 when written, and 1,531,202 before authors held back
