"""What one unit of each learning loop executes and moves: instructions, and bytes beyond a core's second cache.

    python benchmarks/loop_counts.py [RECIPE ...]

Valgrind's cachegrind counts them, so other programs and the clock do not matter. Each loop runs twice, for a few and
for more rounds of MovieLens-100K on one thread. The difference is that of the rounds alone.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from loop_speed import RECIPES

_ROUNDS = (2, 6)
_CACHE = "524288,8,64"
"""A second cache of 512 KB, as an AMD EPYC of family 25 has."""
_TOTALS = ("I refs", "LL misses")


def rounds_of(recipe: str, rounds: int) -> int:
    """Play so many rounds and return the number of units, in this process."""
    from tacit.experiment.prepare import prepare
    from tacit.experiment.run import Run

    simulation = Run(prepare(recipe, "movielens-100k"), threads=1).simulation
    for _ in range(rounds):
        # Where a period is one client's turn, a round is a thousand of them.
        goal = simulation.node_rounds + 900
        while simulation.node_rounds < goal:
            simulation.advance(simulation.now + simulation.period)
    return simulation.node_rounds


def counted(recipe: str, rounds: int) -> tuple[int, ...]:
    """Units, instructions and misses of a process that plays so many rounds."""
    command = [
        "valgrind", "--tool=cachegrind", "--cache-sim=yes", f"--LL={_CACHE}", "--cachegrind-out-file=/dev/null",
        sys.executable, __file__, "--play", recipe, str(rounds),
    ]  # fmt: skip
    ended = subprocess.run(command, capture_output=True, text=True, check=True)
    totals = (re.search(rf"{name}:\s+([\d,]+)", ended.stderr) for name in _TOTALS)
    return int(ended.stdout), *(int(found[1].replace(",", "")) for found in totals if found)


def main(*recipes: str) -> None:
    """Print one line per loop."""
    for recipe in recipes or RECIPES:
        rounds_of(recipe, 1)  # compiled here, so that valgrind sees machine code from the cache
        (few, fewer, less), (many, more, most) = (counted(recipe, rounds) for rounds in _ROUNDS)
        units = many - few
        print(
            f"{recipe}: {(more - fewer) / units:,.0f} instructions and {64 * (most - less) / units / 1e3:,.1f} KB "
            f"per node-round ({units:,} node-rounds)",
            flush=True,
        )


if __name__ == "__main__":
    sys.path.insert(0, os.fspath(Path(__file__).parent))
    if sys.argv[1:2] == ["--play"]:
        print(rounds_of(sys.argv[2], int(sys.argv[3])))
    else:
        main(*sys.argv[1:])
