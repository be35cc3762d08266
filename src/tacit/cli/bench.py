"""`tacit bench`: how fast tacit is on this machine, beside the machine's own limits."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import replace
from importlib.util import find_spec
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
from tacit.simulator.event_order import moved
from tacit.simulator.simulation import Scenario, Simulation

SHAPES = {
    "100k": Synthetic(users=943, items=1682, interactions=100_000),
    "1m": Synthetic(users=6040, items=3706, interactions=1_000_209),
}
"""MovieLens-100K's and MovieLens-1M's users, items and ratings."""
BEFORE = {"100k": 137_000.0, "1m": 80_000.0}
"""gossip-merge before version 0.2, in node-rounds per second of two quiet cores of an AMD EPYC virtual machine."""
GOSSIPY, GOSSIPY_THEN = 1_060.0, "2026-11-18, one core of an AMD EPYC"
"""gossipy-dfl 0.0.1 where it was measured last; `gossipy_node_rounds` says how."""
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
        figures[name] = _shape(name, table, workers, figures["copy_gb_per_second"])
    say("measuring a node-round written with NumPy ...")
    plain = numpy_node_rounds(load("synthetic", synthetic=SHAPES["100k"]).table)
    figures["numpy_node_rounds_per_second"] = plain
    here = gossipy_node_rounds(load("synthetic", synthetic=SHAPES["100k"]).table)
    figures["gossipy_node_rounds_per_second"] = gossipy = here or GOSSIPY
    figures["gossipy_measured"] = "now, one core of this machine" if here else GOSSIPY_THEN
    figures["times_faster_than_gossipy"] = figures["100k"]["gossip_merge_node_rounds_per_second"] / gossipy
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


def states_moved(simulation: GossipSimulation, state: int) -> float:
    """Models that pass between memory and a core's cache per node-round, by a model of that cache."""
    assert simulation.turns is not None
    passes = moved(simulation.turns, len(simulation.fleet.slots.rows), max(3, _cache_bytes() // state))
    return passes / len(simulation.turns.merge)


def _cache_bytes() -> int:
    """A core's second cache; 1 MB where the system does not say."""
    try:
        text = Path("/sys/devices/system/cpu/cpu0/cache/index2/size").read_text().strip()
        return int(text.removesuffix("K")) * 1024
    except (OSError, ValueError):
        return 2**20


def _shape(name: str, table: Interactions, workers: Workers, copy: float) -> dict[str, float]:
    setting = Scenario(MatrixFactorization(), table, 0, always(), workers=workers)
    graph = k_out(table.users, 20, 0)
    merge = age_average.merge()
    state = table.items * (4 + 4 * setting.model.row_width)
    before = _rss_mb()
    gossip = GossipSimulation(setting, merge, graph)
    full = _rate(gossip)
    grown = max(peak_rss_mb() - before, 0.0)
    carried = state * states_moved(gossip, state)
    half = GossipSimulation(replace(setting, dtype="float16"), merge, graph)
    figures = {
        "gossip_merge_node_rounds_per_second": full,
        "gossip_merge_before_0_2": BEFORE[name],
        "bytes_per_node_round": carried,
        "gb_per_second": carried * full / 1e9,
        "share_of_copy_bandwidth": carried * full / 1e9 / copy,
        "gossip_merge_float16_node_rounds_per_second": _rate(half),
        "gossip_10_node_rounds_per_second": _rate(GossipSimulation(setting, merge, graph, share=0.1)),
        "federated_node_rounds_per_second": _rate(FederatedSimulation(setting)),
    }
    if name == "1m":
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


def gossipy_node_rounds(table: Interactions) -> float | None:
    """The same with gossipy's matrix factorization, on one core; None where gossipy is not installed.

    A node-round is a model that is copied to be sent, merged and learned from. Nothing is evaluated.
    """
    if find_spec("gossipy") is None:
        return None
    from gossipy.core import CreateModelMode
    from gossipy.model.handler import MFModelHandler

    here, there = (MFModelHandler(5, table.items, 0.1, 0.01, CreateModelMode.MERGE_UPDATE) for _ in range(2))
    here.init()
    there.init()
    people = [list(zip(*(part.tolist() for part in table.of(u)), strict=True)) for u in range(table.users)]
    done = 0
    began = time.perf_counter()
    while time.perf_counter() - began < 2.0:
        here(there.copy(), people[done % table.users])
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
        f"a node-round of gossipy        {figures['gossipy_node_rounds_per_second']:8,.0f} node-rounds/s "
        f"({figures['gossipy_measured']})",
    ]
    for name, shape in SHAPES.items():
        f = figures[name]
        lines += [
            f"{shape.users:,} nodes x {shape.items:,} items, k 5",
            f"  gossip-merge                 {f['gossip_merge_node_rounds_per_second']:8,.0f} node-rounds/s, "
            f"{f['bytes_per_node_round'] / 1e3:.0f} KB per node-round, {f['gb_per_second']:.1f} GB/s, "
            f"{100 * f['share_of_copy_bandwidth']:.0f} % of copy bandwidth",
            f"  before 0.2, two EPYC cores   {f['gossip_merge_before_0_2']:8,.0f} node-rounds/s",
            f"  gossip-merge in 16 bits      {f['gossip_merge_float16_node_rounds_per_second']:8,.0f} node-rounds/s",
            f"  gossip-10                    {f['gossip_10_node_rounds_per_second']:8,.0f} node-rounds/s",
            f"  federated                    {f['federated_node_rounds_per_second']:8,.0f} node-rounds/s",
        ]
        if "memory_over_states_and_messages" in f:
            lines.append(f"  memory / (states + messages) {f['memory_over_states_and_messages']:8.2f}")
    lines.append(f"gossip-merge against NumPy       {figures['times_faster_than_numpy']:6.0f} times")
    lines.append(
        f"gossip-merge against gossipy     {figures['times_faster_than_gossipy']:6.0f} times, "
        f"{figures['threads']} cores against one"
    )
    lines.append(f"cost per byte, large to small    {figures['cost_per_byte_1m_to_100k']:6.2f}")
    return lines
