"""A memory estimate before a run starts. A run that cannot fit is refused."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import psutil

from tacit.core.errors import TooBig
from tacit.experiment.experiment import Experiment
from tacit.models.base import memory_sizes

_PROGRAM = 200 * 2**20
"""The interpreter, compiled code and libraries."""


def estimate(x: Experiment) -> int:
    """Bytes: node states and messages in flight, the data, the program."""
    model, train, protocol = x.model, x.split.train, x.protocol
    size = np.dtype(x.settings.learning.storage).itemsize
    sizes = memory_sizes(model)
    people = size * (train.users * (model.private_size + sizes.person) + len(train) * sizes.rating)
    people += size * (1 if protocol.server_steps else train.users) * train.items * sizes.row
    return _PROGRAM + 40 * len(train) + people + protocol.memory(model, train, size)


def available() -> int:
    """Bytes that this machine, or this container, has left."""
    limits = [psutil.virtual_memory().available]
    used, cap = Path("/sys/fs/cgroup/memory.current"), Path("/sys/fs/cgroup/memory.max")
    if used.exists() and cap.exists() and cap.read_text().strip().isdigit():
        limits.append(int(cap.read_text()) - int(used.read_text()))
    return int(min(limits))


def check(x: Experiment) -> None:
    """Refuse a run that does not fit, and say what would make it fit."""
    free = available()
    if x.memory <= free:
        return
    ways = [f"fewer users (there are {x.split.train.users:,}: --set data.min_user=N)"]
    if x.protocol.name == "gossip" and x.parameters["subsample"] == 1:
        ways.append("no second copy of models in flight (--set subsample=0.1)")
    if x.settings.learning.storage == "float64":
        ways.append("smaller numbers (--set storage=float32)")
    if getattr(x.model, "k", 0) > 1:
        ways.append("fewer factors (--set model.k=N)")
    if any(memory_sizes(x.model)):
        ways.append("plain steps, which remember nothing (--set model.optimizer=sgd)")
    needs = f"needs about {gigabytes(x.memory)}; there are {gigabytes(free)}"
    raise TooBig(f"memory: {needs}; try " + " or ".join(ways))


def gigabytes(count: int) -> str:
    """A size as text.

    >>> gigabytes(123_000_000)
    '0.12 GB'
    """
    return f"{count / 1e9:.2f} GB" if count < 1e10 else f"{count / 1e9:.0f} GB"


def peak_rss_mb() -> float:
    """The most memory this process has held, in megabytes."""
    try:
        import resource
    except ImportError:  # Windows, where psutil knows the peak
        return float(getattr(psutil.Process().memory_info(), "peak_wset", 0) / 2**20)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (2**20 if sys.platform == "darwin" else 1024)
