"""Small runs that engines are tried with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tacit.experiment.batch import Engine, RunListener, Task, run_all

SMALL = {"data.users": 60, "data.items": 40, "data.interactions": 1500, "data.min_user": 5, "data.seed": 0}
TASKS = [
    Task("baseline/popular", "synthetic", SMALL, seed=0),
    Task("baseline/random", "synthetic", SMALL, seed=1),
    Task("baseline/popular", "synthetic", SMALL, seed=0, label="again"),
    Task("hegedus/gossip-merge", "synthetic", {**SMALL, "hours": 3}, seed=2, keep=True),
]
"""The third stands for the same run as the first."""
_OF_THIS_RUN = ("wall_seconds", "compile_seconds", "peak_rss_mb")


def figures(engine: Engine | None, out: Path | None) -> list[dict[str, Any]]:
    """What the small runs give, without what differs from one time to the next."""
    found = [result.to_json() for result in run_all(TASKS, out, RunListener(engine=engine))]
    for one in found:
        one["cost"] = {name: value for name, value in one["cost"].items() if name not in _OF_THIS_RUN}
    return found
