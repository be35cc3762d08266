"""What one unit of each learning loop executes and moves: instructions, and bytes beyond a core's second cache.

    python benchmarks/loop_counts.py [RECIPE ...]

Valgrind's callgrind counts them, so other programs and the clock do not matter. Rounds of MovieLens-100K on one thread:
a few to warm up the caches, then those that count. Everything before them runs uncounted.

Valgrind knows no AVX-512. So everything is compiled for an older processor, with AVX2, and kept in a cache of its own.
A processor with AVX-512 executes fewer instructions where a loop is vectorized.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from loop_speed import RECIPES

_WARM, _COUNTED = 1500, 3000
"""Units."""
_CACHE = "524288,8,64"
"""A second cache of 512 KB, as an AMD EPYC of family 25 has."""
_VALGRIND = (
    "valgrind", "--tool=callgrind", "--instr-atstart=no", "--cache-sim=yes", f"--LL={_CACHE}",
    "--callgrind-out-file=/dev/null",
)  # fmt: skip
_KERNELS = Path(tempfile.gettempdir()) / "tacit-counted-kernels"


def play(recipe: str, counted: bool) -> int:
    """Play in this process, which runs under callgrind if `counted`, and return how many units count."""
    from tacit.experiment.prepare import prepare
    from tacit.experiment.run import Run

    simulation = Run(prepare(recipe, "movielens-100k"), threads=1).simulation

    def on(units: int) -> int:
        done = began = simulation.node_rounds
        while done < began + units:
            simulation.advance(simulation.now + simulation.period)
            done = simulation.node_rounds
        return done - began

    on(1)  # whatever happens once
    if not counted:
        return on(_WARM)
    _tell("-i", "on")
    on(_WARM)
    _tell("-z")
    units = on(_COUNTED)
    _tell("-i", "off")
    return units


def _tell(*what: str) -> None:
    subprocess.run(["callgrind_control", *what, str(os.getpid())], check=True, stdout=subprocess.DEVNULL)


def _played(recipe: str, *under: str) -> subprocess.CompletedProcess[str]:
    command = [*under, sys.executable, __file__, "--play", recipe, *under[:1]]
    env = {**os.environ, "NUMBA_CPU_NAME": "haswell", "NUMBA_CPU_FEATURES": "+avx2,+fma,+f16c"}
    env |= {"XDG_CACHE_HOME": os.fspath(_KERNELS), "POLARS_MAX_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    return subprocess.run(command, env=env, capture_output=True, text=True, check=True)


def main(*recipes: str) -> None:
    """Print one line per loop."""
    for recipe in recipes or RECIPES:
        _played(recipe)  # compiled here, so that valgrind sees machine code from the cache
        ended = _played(recipe, *_VALGRIND)
        units = int(ended.stdout)
        events, totals = (
            re.findall(rf"{name}\s*:\s*(.+)", ended.stderr)[-1].split() for name in ("Events", "Collected")
        )
        count = dict(zip(events, map(int, totals), strict=True))
        beyond = count["ILmr"] + count["DLmr"] + count["DLmw"]
        print(
            f"{recipe}: {count['Ir'] / units:,.0f} instructions and {64 * beyond / units / 1e3:,.1f} KB "
            f"per unit ({units:,} units)",
            flush=True,
        )


if __name__ == "__main__":
    sys.path.insert(0, os.fspath(Path(__file__).parent))
    if sys.argv[1:2] == ["--play"]:
        print(play(sys.argv[2], len(sys.argv) > 3))
    else:
        main(*sys.argv[1:])
