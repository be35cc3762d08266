"""How much memory a run will need, said before it starts; a run that cannot fit is refused."""

from __future__ import annotations

import os
import resource
import sys
from pathlib import Path

import numpy as np

from tacit.core.errors import TooBig
from tacit.core.interactions import Interactions
from tacit.core.registry import find
from tacit.models.base import Model, memory_sizes
from tacit.protocols.base import Parameters, Protocol

_PROGRAM = 200 * 2**20
"""The interpreter, compiled code and libraries."""


def estimate(parameters: Parameters, model: Model, train: Interactions) -> int:
    """Bytes: node states and messages in flight, the data, the program."""
    size = np.dtype(str(parameters["storage"])).itemsize
    protocol: Protocol = find("tacit.protocols", "protocol", str(parameters["protocol"]))
    sizes = memory_sizes(model)
    people = size * (train.users * (model.private_size + sizes.person) + len(train) * sizes.rating)
    people += size * (1 if protocol.server_steps else train.users) * train.items * sizes.row
    return _PROGRAM + 40 * len(train) + people + protocol.memory(parameters, model, train, size)


def available() -> int | None:
    """Bytes this machine (or the container it is) can still give; None where that cannot be told."""
    limits = []
    meminfo = Path("/proc/meminfo")
    if meminfo.exists():
        for line in meminfo.read_text().splitlines():
            if line.startswith("MemAvailable:"):
                limits.append(int(line.split()[1]) * 1024)
    elif hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names:
        limits.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    used, cap = Path("/sys/fs/cgroup/memory.current"), Path("/sys/fs/cgroup/memory.max")
    if used.exists() and cap.exists() and cap.read_text().strip().isdigit():
        limits.append(int(cap.read_text()) - int(used.read_text()))
    return min(limits) if limits else None


def check(needed: int, parameters: Parameters, model: Model, train: Interactions) -> None:
    """Refuse a run that does not fit, and say what would make it fit."""
    free = available()
    if free is None or needed <= free:
        return
    ways = [f"fewer users (there are {train.users:,}: --set data.min_user=N)"]
    if parameters["protocol"] == "gossip" and float(parameters.get("subsample") or 1) >= 1:
        ways.append("no second copy of models in flight (--set subsample=0.1)")
    if parameters["storage"] == "float64":
        ways.append("smaller numbers (--set storage=float32)")
    if int(parameters.get("model.k") or 0) > 1:
        ways.append("fewer factors (--set model.k=N)")
    if any(memory_sizes(model)):
        ways.append("plain steps, which remember nothing (--set model.optimizer=sgd)")
    raise TooBig(
        f"memory: needs about {gigabytes(needed)}; there are {gigabytes(free)}; try " + " or ".join(ways)
    )


def gigabytes(count: int) -> str:
    """A size in words.

    >>> gigabytes(123_000_000)
    '0.12 GB'
    """
    return f"{count / 1e9:.2f} GB" if count < 1e10 else f"{count / 1e9:.0f} GB"


def peak_rss_mb() -> float:
    """The most memory this process has held, in megabytes."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1e6 if sys.platform == "darwin" else 1024)
