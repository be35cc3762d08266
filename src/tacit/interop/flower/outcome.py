"""What a federation ends with at the server: a folder of figures, and the shared model. Nobody's own part is there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import polars as pl

from tacit.core.node_state import NodeState
from tacit.experiment import run_folder
from tacit.experiment.memory_estimate import peak_rss_mb
from tacit.experiment.result import Cost, Result
from tacit.interop.flower.federation import Federation
from tacit.interop.flower.rules.base import Member
from tacit.simulator import checkpoint

MODEL = "model.npz"


@dataclass
class Outcome:
    """What is counted and measured on the way."""

    rounds: int = 0
    answers: int = 0
    bytes: int = 0
    """Of updates, down and up."""
    seconds: float = 0.0
    metrics: dict[str, float] = field(default_factory=dict)
    curve: list[dict[str, float]] = field(default_factory=list)

    def measured(self, metrics: dict[str, float]) -> None:
        """Add a point to the curve."""
        self.metrics = metrics
        where = {"round": self.rounds, "hours": self.seconds / 3600, "bytes": self.bytes}
        self.curve.append({**where, **metrics})


def write_outcome(
    out: Path, federation: Federation, outcome: Outcome, state: NodeState, members: Sequence[Member]
) -> None:
    """result.json as of every run, and model.npz: rows, ages, dense and clock, with the items' ids."""
    run_folder.open_folder(out)
    known = all(member.ratings >= 0 for member in members)
    result = Result(
        recipe=federation.recipe,
        seed=federation.seed,
        parameters=federation.parameters,
        data={
            "name": "flower",
            "users": sum(member.people for member in members),
            "items": len(federation.items),
            "interactions": sum(member.ratings for member in members) if known else None,
            "sha256": None,
        },
        split={"kind": "clients"},
        metrics=outcome.metrics,
        curve=outcome.curve,
        cost=Cost(
            bytes_sent=outcome.bytes,
            messages=outcome.answers,
            node_rounds=outcome.answers,
            virtual_hours=0.0,
            wall_seconds=outcome.seconds,
            peak_rss_mb=peak_rss_mb(),
            more={"clients": len(members), "rounds": outcome.rounds},
        ),
        per_user=pl.DataFrame(),
        notes=[
            "a Flower federation: clients measured their own held-out parts and told sums",
            "hours of the curve and wall_seconds are real time, with the time that Flower takes",
        ],
    )
    run_folder.write_result(out, result)
    with run_folder.writing(out):
        items = np.array(federation.items, dtype=np.str_)
        arrays = {
            "rows": state.rows,
            "ages": state.ages,
            "dense": state.dense,
            "clock": np.array([state.clock]),
        }
        checkpoint.write(out / MODEL, {**arrays, "items": items})
