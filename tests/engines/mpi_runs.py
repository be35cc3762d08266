"""Small runs that several ranks share: `mpirun -n 2 python -m tests.engines.mpi_runs whole DIR NAME...`."""

from __future__ import annotations

import hashlib
import json
import sys
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any

import polars as pl

from tacit.core.errors import Interrupted
from tacit.experiment.prepare import prepare
from tacit.experiment.run import Run
from tacit.simulator.checkpoint import Reader
from tacit.simulator.partition import Partition
from tests.engines.runs import SMALL

CASES: dict[str, tuple[str, dict[str, Any]]] = {
    "gossip": ("hegedus/gossip-merge", {"hours": 5}),
    "gossip, churn": ("hegedus/gossip", {"hours": 5, "churn": "generated", "epochs": 2}),
    "gossip, all at once": ("hegedus/gossip-merge", {"hours": 3, "start": "synchronous", "evaluate": "full"}),
    "gossip, halves": ("hegedus/gossip-merge", {"hours": 3, "storage": "float16"}),
    "gossip-10": ("hegedus/gossip-10", {"hours": 2}),
    "gossip-10, churn": ("hegedus/gossip-10", {"hours": 2, "churn": "generated", "init": "data"}),
    "federated": ("hegedus/federated", {"hours": 4, "churn": "generated"}),
    "federated-10": ("hegedus/federated-10", {"hours": 4, "participation": 0.4, "init": "data"}),
    "federated, mean over all": ("hegedus/federated", {"hours": 3, "average": "clients"}),
    "federated, adam": ("hegedus/federated", {"hours": 3, "model.optimizer": "adam"}),
    "pepper": ("pepper/pepper", {"rounds": 4, "refresh": 2}),
    "pepper, shown": ("pepper/dec-reptile", {"rounds": 3, "read-out": "averaged", "churn": "generated"}),
    "pepper, adam": ("pepper/model-age", {"rounds": 3, "model.optimizer": "adam"}),
}
_TIMES = ("wall_seconds", "compile_seconds", "peak_rss_mb")
_OF_RANKS = ("ranks", "rank_bytes", "rank_peak_rss_mb")


def carry_out(name: str, out: Path, ranks: Partition, how: str = "whole") -> None:
    """One of the runs: the whole of it; `stop`: until the first rank wants no more; `resume`: the rest."""
    recipe, settings = CASES[name]
    x = ranks.agreed(lambda: prepare(recipe, "synthetic", {**SMALL, **settings}, seed=3))
    run = Run(x, out=out / name, resume=how == "resume", threads=2, partition=ranks)
    left = iter([False, False, True])
    with suppress(Interrupted) if how == "stop" else nullcontext():
        run.go(stop=lambda: how == "stop" and ranks.first and next(left))


def found(folder: Path) -> dict[str, Any]:
    """What a run gave, without what differs from one time to the next: figures, everybody's row and model."""
    result = json.loads((folder / "result.json").read_text())
    result["cost"] = {k: v for k, v in result["cost"].items() if k not in (*_TIMES, *_OF_RANKS)}
    result["notes"] = [note for note in result.get("notes", []) if "ranks shared" not in note]
    digest = hashlib.sha256()
    with Reader(folder / "state.npz") as arrays:
        slot = arrays["slot"]
        for key in ("rows", "ages", "dense", "clock"):
            digest.update(arrays[key][slot].tobytes())
        for key in ("private", "memory", "traffic"):
            digest.update(arrays[key].tobytes())
    table = pl.read_parquet(folder / "per_user.parquet")
    return {**result, "models": digest.hexdigest(), "users": table.rows()}


if __name__ == "__main__":
    from tacit.engines.mpi_ranks import MpiRanks

    for case in sys.argv[3:]:
        carry_out(case, Path(sys.argv[2]), MpiRanks(), how=sys.argv[1])
