"""`tacit/best` where nodes go away and messages are lost: HR@20 over the rounds, read-outs, bytes.

python benchmarks/away.py [WHICH ...]        calm open away short gone (all, if none is named)

Three made-up traces: 30 % of the nodes away at any time, for 35 minutes on average (`open`: without masks; `away`: with
them) or 13 (`short`); 5 % of the nodes leave for good at random times (`gone`). A tenth of all messages is lost in all
but `calm` and `gone`. A round is 2.9 minutes.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

import tacit
from tacit.experiment.prepare import prepare
from tacit.simulator.churn.availability import Availability
from tacit.simulator.churn.generator import generate
from tacit.simulator.churn.trace import write_trace

DATA, NODES, ROUND_SECONDS = "movielens-100k", 943, 172.8
AWAY = {"bandwidth": "high", "loss": 0.1}
CASES: dict[str, dict[str, Any]] = {
    "calm": {"masks": 0, "rounds": 150},
    "open": {**AWAY, "masks": 0, "rounds": 250},
    "away": {**AWAY, "rounds": 1000},
    "short": {**AWAY, "rounds": 450},
    "gone": {"bandwidth": "high", "rounds": 600},
}


def leaving(rounds: int) -> Availability:
    """47 of 943 nodes leave for good, some time in so many rounds."""
    rng = np.random.default_rng(0)
    end = np.full(NODES, 10**15)
    who = rng.choice(NODES, 47, replace=False)
    end[who] = (rng.random(47) * rounds * ROUND_SECONDS * 1e6).astype(np.int64) + 1
    return Availability.from_sessions(np.arange(NODES), np.zeros(NODES, np.int64), end, nodes=NODES)


def trace(case: str, rounds: int) -> Availability | None:
    """Who is there when; None: all, always."""
    if case == "calm":
        return None
    if case == "gone":
        return leaving(rounds)
    minutes = 30.0 if case == "short" else 81.368
    return generate(NODES, seed=0, hours=400, share=0.7, mean_session_minutes=minutes)


def main(*cases: str) -> None:
    """A line a measurement, and one at the end."""
    users = prepare("tacit/best", DATA).dataset.user_ids
    for case in cases or CASES:
        settings = {"evaluate.points": 50, **CASES[case]}
        with tempfile.TemporaryDirectory() as folder:
            there = trace(case, settings["rounds"])
            if there is not None:
                path = Path(folder) / "trace.csv"
                write_trace(there, path, users)
                settings["churn"] = str(path)
            result = tacit.run("tacit/best", DATA, settings=settings, progress=False)
        figures = [(point["round"], point["hr@20"]) for point in result.curve]
        print(case, " ".join(f"{rounds:.0f}:{hr:.3f}" for rounds, hr in figures))
        more, sent = result.cost.more, result.cost.bytes_sent / NODES / 1e6
        told = f"{more['read_outs']:.1f} read-outs, {more['epochs_discarded']:.1f} epochs discarded, {sent:.1f} MB"
        print(f"{case}: HR@20 {figures[-1][1]:.4f}, {told}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
