"""`tacit bench`: how fast tacit is on this machine, beside the machine's own limits."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from tacit.cli.console import emit, say
from tacit.core.compiled.compiling import kernel
from tacit.core.compiled.threads import Workers
from tacit.core.interactions import Interactions
from tacit.core.node_state import Floats
from tacit.core.rng import Stream, uniforms
from tacit.data.dataset import load
from tacit.data.synthetic import Synthetic
from tacit.experiment.memory_estimate import peak_rss_mb
from tacit.merges import age_average
from tacit.models.mf import MatrixFactorization
from tacit.peer_sampling.graphs import k_out
from tacit.protocols.federated.simulation import FederatedSimulation
from tacit.protocols.gossip.simulation import GossipSimulation
from tacit.simulator.churn.sessions import always
from tacit.simulator.simulation import Scenario, Simulation

SHAPES = {
    "100k": Synthetic(users=943, items=1682, interactions=100_000),
    "1m": Synthetic(users=6040, items=3706, interactions=1_000_209),
}
"""MovieLens-100K's and MovieLens-1M's users, items and ratings."""
_SECONDS = 4.0


def run_bench(as_json: bool) -> None:
    """Measure, and print a table or one JSON object."""
    workers = Workers()
    figures: dict[str, Any] = {"threads": workers.threads}
    say("measuring the machine's copy bandwidth ...")
    figures["copy_gb_per_second"] = copy_bandwidth(workers)
    for name, shape in SHAPES.items():
        say(f"measuring {shape.users:,} nodes x {shape.items:,} items ...")
        table = load("synthetic", synthetic=shape).table
        figures[name] = _shape(table, workers, figures["copy_gb_per_second"], memory=name == "1m")
    say("measuring a node-round written with NumPy ...")
    plain = numpy_node_rounds(load("synthetic", synthetic=SHAPES["100k"]).table)
    figures["numpy_node_rounds_per_second"] = plain
    figures["times_faster_than_numpy"] = figures["100k"]["gossip_merge_node_rounds_per_second"] / plain
    figures["cost_per_byte_1m_to_100k"] = figures["100k"]["gb_per_second"] / figures["1m"]["gb_per_second"]
    if as_json:
        emit(figures)
        return
    for line in _lines(figures):
        sys.stdout.write(line + "\n")


def copy_bandwidth(workers: Workers) -> float:
    """Gigabytes per second, read and written, that all cores together copy from one large array to another."""
    source = np.ones((512, 2**17), np.float32)
    target = np.zeros_like(source)
    workers.run(_copy, len(source), source, target)
    best = min(_timed(lambda: workers.run(_copy, len(source), source, target)) for _ in range(10))
    return 2 * source.nbytes / best / 1e9


@kernel
def _copy(low: int, high: int, source: Floats, target: Floats) -> None:
    for n in range(low, high):
        target[n] = source[n]


def _shape(table: Interactions, workers: Workers, copy: float, memory: bool) -> dict[str, float]:
    setting = Scenario(MatrixFactorization(), table, 0, always(), workers=workers)
    graph = k_out(table.users, 20, 0)
    merge = age_average.merge()
    state = table.items * (4 + 4 * setting.model.row_width)
    before = _rss_mb()
    full = _rate(GossipSimulation(setting, merge, graph))
    grown = max(peak_rss_mb() - before, 0.0)
    moved = 3 * state * full / 1e9
    figures = {
        "gossip_merge_node_rounds_per_second": full,
        "gb_per_second": moved,
        "share_of_copy_bandwidth": moved / copy,
        "gossip_10_node_rounds_per_second": _rate(GossipSimulation(setting, merge, graph, share=0.1)),
        "federated_node_rounds_per_second": _rate(FederatedSimulation(setting)),
    }
    if memory:
        figures["memory_over_states_and_messages"] = grown * 2**20 / (2 * table.users * state)
    return figures


def _rate(simulation: Simulation) -> float:
    """Node-rounds per second, the best of several stretches of a run."""
    simulation.advance(2 * simulation.period)
    best = 0.0
    until = time.perf_counter() + _SECONDS
    while time.perf_counter() < until:
        before = simulation.node_rounds
        took = _timed(lambda: simulation.advance(simulation.now + 4 * simulation.period))
        best = max(best, (simulation.node_rounds - before) / took)
    return best


def numpy_node_rounds(table: Interactions) -> float:
    """The same node-round with one NumPy call per step, as such simulators are usually written."""
    rows, theirs = uniforms(0, Stream.INIT_ROWS, 0, 2, 5 * table.items).astype(np.float32).reshape(2, -1, 5)
    bias, their_bias = uniforms(0, Stream.INIT_ROWS, 1, 2, table.items).astype(np.float32)
    ages, their_ages = (1 + 50 * uniforms(0, Stream.INIT_ROWS, 2, 2, table.items)).astype(np.int64)
    x, b = np.full(5, 0.5, np.float32), np.float32(0.5)
    done = 0
    began = time.perf_counter()
    while time.perf_counter() - began < 2.0:
        weight = (their_ages / (ages + their_ages)).astype(np.float32)
        rows = (1 - weight)[:, None] * rows + weight[:, None] * theirs
        bias = (1 - weight) * bias + weight * their_bias
        ages = np.maximum(ages, their_ages)
        items, values = table.of(done % table.users)
        for i, value in zip(items, values, strict=True):
            ages[i] += 1
            error = value - x @ rows[i] - b - bias[i]
            rows[i], x = 0.999 * rows[i] + 0.01 * error * x, 0.999 * x + 0.01 * error * rows[i]
            bias[i] += 0.01 * error
            b += np.float32(0.01) * error
        done += 1
    return done / (time.perf_counter() - began)


def _timed(call: Callable[[], None]) -> float:
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


def _rss_mb() -> float:
    """Memory held now; the peak so far where the system does not say."""
    statm = Path("/proc/self/statm")
    if not statm.exists():
        return peak_rss_mb()
    return int(statm.read_text().split()[1]) * 4096 / 2**20


def _lines(figures: dict[str, Any]) -> list[str]:
    lines = [
        f"copy bandwidth of {figures['threads']} cores       {figures['copy_gb_per_second']:8.1f} GB/s",
        f"a node-round in NumPy          {figures['numpy_node_rounds_per_second']:8,.0f} node-rounds/s",
    ]
    for name, shape in SHAPES.items():
        f = figures[name]
        lines += [
            f"{shape.users:,} nodes x {shape.items:,} items, k 5",
            f"  gossip-merge                 {f['gossip_merge_node_rounds_per_second']:8,.0f} node-rounds/s, "
            f"{f['gb_per_second']:.1f} GB/s, {100 * f['share_of_copy_bandwidth']:.0f} % of copy bandwidth",
            f"  gossip-10                    {f['gossip_10_node_rounds_per_second']:8,.0f} node-rounds/s",
            f"  federated                    {f['federated_node_rounds_per_second']:8,.0f} node-rounds/s",
        ]
        if "memory_over_states_and_messages" in f:
            lines.append(f"  memory / (states + messages) {f['memory_over_states_and_messages']:8.2f}")
    lines.append(f"gossip-merge against NumPy       {figures['times_faster_than_numpy']:6.0f} times")
    lines.append(f"cost per byte, large to small    {figures['cost_per_byte_1m_to_100k']:6.2f}")
    return lines
