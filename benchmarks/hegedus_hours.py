"""RMSE by virtual hours of every run behind figures 3 and 4 of Hegedűs et al., as the tables of docs/papers/hegedus.md.

python benchmarks/hegedus_hours.py DIR          the --out folder of `tacit reproduce hegedus`, finished or not
"""

from __future__ import annotations

import statistics
import sys
from pathlib import Path

from tacit.experiment.result import Result
from tacit.papers.base import Row
from tacit.papers.hegedus.paper import paper
from tacit.papers.reproduce import finished_runs, lacking

HOURS = (1, 5, 10, 24, 48)


def main(out: Path) -> None:
    """Print one table per panel, with the mean over seeds."""
    panels: dict[str, list[Row]] = {}
    for exhibit in paper.exhibits:
        for row in exhibit.rows(False):
            if not lacking(row.wanted):
                panels.setdefault(row.panel, []).append(row)
    runs = finished_runs([row.wanted for rows in panels.values() for row in rows], out)
    for panel, rows in panels.items():
        there = [row for row in rows if runs.get(row.wanted)]
        if not there:
            continue
        print(f"\n{panel}, seeds: {there[0].wanted.seeds}\n")
        print(f"| hours | {' | '.join(row.name for row in there)} |")
        print(f"|{'---|' * (len(there) + 1)}")
        for hour in HOURS:
            means = (statistics.fmean(_at(run, hour) for run in runs[row.wanted]) for row in there)
            print(f"| {hour} | {' | '.join(f'{mean:.3f}' for mean in means)} |")


def _at(run: Result, hour: float) -> float:
    """RMSE at exactly this hour: one of the run's points of measurement."""
    return next(point["rmse"] for point in run.curve if point["hours"] == hour)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
