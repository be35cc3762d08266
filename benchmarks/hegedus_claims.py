"""Measure claims H1 to H7 of Hegedűs et al. 2020: every scenario of figures 3 and 4 that the data at hand allows.

    python benchmarks/hegedus_claims.py movielens-100k 3 results.csv     # data set, seeds, where to append

One row a run and hour; runs that are already in the file are not repeated.
"""

from __future__ import annotations

import sys
from pathlib import Path

import polars as pl

import tacit

ALGORITHMS = ("gossip", "gossip-merge", "gossip-10", "federated", "federated-10")
SCENARIOS = (
    {"epochs": 1},
    {"epochs": 10},
    {"epochs": 1, "churn": "generated", "bandwidth": "low"},
    {"epochs": 1, "churn": "generated", "bandwidth": "high"},
)
HOURS = (1, 2, 5, 10, 24, 48)


def main(data: str, seeds: int, target: Path) -> None:
    """Run what is missing, one run after the other."""
    done = pl.read_csv(target) if target.exists() else None
    for seed in range(seeds):
        for scenario in SCENARIOS:
            for algorithm in ALGORITHMS:
                name = " ".join(f"{key}={value}" for key, value in scenario.items())
                where = {"data": data, "algorithm": algorithm, "scenario": name, "seed": seed}
                if done is not None and done.filter(**where).height:
                    continue
                result = tacit.run(f"hegedus/{algorithm}", data, settings=scenario, seed=seed, progress=False)
                rows = [
                    {
                        **where,
                        "hours": p["hours"],
                        "mb_per_node": p["bytes"] / 1e6 / result.data["users"],
                        "rmse": p["rmse"],
                    }
                    for p in result.curve
                    if p["hours"] in HOURS
                ]
                frame = pl.DataFrame(rows)
                with target.open("a") as file:
                    file.write(frame.write_csv(include_header=file.tell() == 0))
                print(f"{data} {algorithm} {name} seed {seed}: {result.metrics['rmse']:.4f}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]))
