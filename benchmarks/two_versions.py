"""How much faster gossip is than in another checkout, both measured in turns: 0.1.0's rates, or those of a branch.

    git worktree add ../before COMMIT
    python benchmarks/two_versions.py ../before/src [THREADS]

Each version has a process of its own that waits while the other works. A stretch is four periods. The ratio is that of
the medians. Other programs should rest meanwhile.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from pathlib import Path

_TURNS = 15
_HERE = Path(__file__).parents[1] / "src"
RUNS = (("100k", 1.0), ("1m", 1.0), ("100k", 0.1), ("1m", 0.1))
"""Shapes of `tacit bench`, and the share of each model that is sent."""
PLAYER = """
import sys, time
from tacit.cli import bench
Scenario = getattr(bench, "Scenario", None) or bench.Setting
table = bench.load("synthetic", synthetic=bench.SHAPES[sys.argv[1]]).table
workers = bench.Workers(int(sys.argv[3]) or None)
scenario = Scenario(bench.MatrixFactorization(), table, 0, bench.always(), workers=workers)
graph, share = bench.k_out(table.users, 20, 0), float(sys.argv[2])
played = bench.GossipSimulation(scenario, bench.age_average.merge(), graph, share=share)
played.advance(8 * played.period)
print("ready", flush=True)
for line in sys.stdin:
    before, began = played.node_rounds, time.perf_counter()
    played.advance(played.now + 4 * played.period)
    print((played.node_rounds - before) / (time.perf_counter() - began), flush=True)
"""
"""What both versions run; of 0.1.0 the module's names are the same but for `Setting`."""


def start(source: Path, shape: str, share: float, threads: str) -> subprocess.Popen[str]:
    """A process that plays this version and measures a stretch for every line it gets."""
    env = {**os.environ, "PYTHONPATH": os.fspath(source)}
    command = [sys.executable, "-c", PLAYER, shape, str(share), threads]
    made = subprocess.Popen(command, env=env, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    _told(made)
    return made


def _told(player: subprocess.Popen[str]) -> str:
    assert player.stdout is not None
    return player.stdout.readline()


def stretch(player: subprocess.Popen[str]) -> float:
    """Node-rounds per second of the next stretch."""
    assert player.stdin is not None
    player.stdin.write("\n")
    player.stdin.flush()
    return float(_told(player))


def main(other: str, threads: str = "0") -> None:
    """Print a line per run."""
    for shape, share in RUNS:
        players = [start(source, shape, share, threads) for source in (Path(other), _HERE)]
        rates = [[stretch(player) for player in players] for _ in range(_TURNS)]
        before, now = (statistics.median(column) for column in zip(*rates, strict=True))
        for player in players:
            player.kill()
        told = f"{before:,.0f} and {now:,.0f} node-rounds per second, {now / before:.2f} times"
        print(f"{shape}, {share:g} of each model: {told}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
