"""What one received model costs a PEPPER node: weighed, merged, learned from. CPU time, so other programs do not count.

python benchmarks/pepper_speed.py [RECIPE] [DATA] [KEY=VALUE ...]
"""

from __future__ import annotations

import sys
import time

from tacit.experiment.prepare import prepare
from tacit.experiment.run import Run
from tacit.experiment.run_settings import parse_set


def main(recipe: str = "pepper/pepper", data: str = "movielens-100k", *settings: str) -> None:
    """Ten rounds on one thread, after a few to warm up."""
    run = Run(prepare(recipe, data, parse_set(settings)), threads=1)
    simulation = run.simulation
    simulation.advance(3 * simulation.period)
    models, began = simulation.node_rounds, time.process_time()
    simulation.advance(13 * simulation.period)
    seconds, models = time.process_time() - began, simulation.node_rounds - models
    print(
        f"{recipe} on {data}: {seconds / models * 1e6:.1f} microseconds of one core a received model ({models:,})"
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
