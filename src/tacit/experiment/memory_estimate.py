"""A memory estimate before a run starts. A run that cannot fit is refused."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import psutil

from tacit.core.errors import TooBig
from tacit.experiment.experiment import Experiment
from tacit.models.base import memory_sizes
from tacit.simulator.fleet import storage as kept_as

_PROGRAM = 300 * 2**20
"""The interpreter, compiled code and libraries. Compiling for the first time takes about as much again, for a while."""
_MUCH = 0.6
"""Share of the free memory from which on a run says what would take less."""


def estimate(x: Experiment, storage: str | None = None) -> int:
    """Bytes: node states and messages in flight, the data, the program. `storage`: as if that were set."""
    model, train, protocol = x.model, x.split.train, x.protocol
    dtype = storage or x.settings.learning.storage
    sizes = memory_sizes(model)
    people = train.users * (model.private_size + sizes.person) + len(train) * sizes.rating
    people += (1 if protocol.server_steps else train.users) * train.items * sizes.row
    people *= np.dtype(kept_as(dtype).rest).itemsize
    return _everywhere(x) + people + protocol.memory(model, train, np.dtype(dtype).itemsize)


def available() -> int:
    """Bytes that this machine, or this container, has left."""
    limits = [psutil.virtual_memory().available]
    used, cap = Path("/sys/fs/cgroup/memory.current"), Path("/sys/fs/cgroup/memory.max")
    if used.exists() and cap.exists() and cap.read_text().strip().isdigit():
        limits.append(int(cap.read_text()) - int(used.read_text()))
    return int(min(limits))


def per_rank(x: Experiment, ranks: int) -> int:
    """Bytes that each of several ranks takes: program and data, and its share of the nodes."""
    return _share(x, x.memory, ranks)


def _share(x: Experiment, whole: int, ranks: int) -> int:
    everywhere = _everywhere(x)
    return everywhere + (whole - everywhere) // ranks


def check(x: Experiment, ranks: int = 1, beside: int = 1) -> None:
    """Refuse a run that does not fit, and say what would make it fit. `beside` of its ranks are on this machine."""
    free, needed = available() // beside, per_rank(x, ranks)
    if needed > free:
        each = "" if ranks == 1 else " for each rank on this machine"
        needs = f"needs about {gigabytes(needed)}; there are {gigabytes(free)}{each}"
        raise TooBig(f"memory: {needs}; try " + " or ".join(_ways(x, free, ranks)))


def forecast(x: Experiment, ranks: int = 1) -> str:
    """What a run will take, before it starts; where that is most of what there is, also what would take less."""
    free, needed = available(), per_rank(x, ranks)
    each = "" if ranks == 1 else f" for each of {ranks} ranks"
    less = f"; to take less: {' or '.join(_ways(x, free, ranks))}" if needed > _MUCH * free else ""
    return f"memory: about {gigabytes(needed)}{each}, of {gigabytes(free)} free{less}"


def _everywhere(x: Experiment) -> int:
    """Bytes of the program and the data, which every process has."""
    return _PROGRAM + 40 * len(x.split.train)


def _ways(x: Experiment, free: int, ranks: int) -> list[str]:
    """What would make a run smaller, and how far that goes. Storage and an engine are named where it would fit."""
    users, spare = x.split.train.users, max(0, free - _everywhere(x))
    nodes = max(1, x.memory - _everywhere(x))
    fewer = "data.users=N" if x.dataset.name == "synthetic" else "data.min_user=N"
    ways = [f"fewer users (about {users * spare // nodes:,} of {users:,} fit: --set {fewer})"]
    if x.protocol.name == "gossip" and x.parameters["subsample"] == 1:
        ways.append("no second copy of models in flight (--set subsample=0.1)")
    smaller = {"float64": "float32", "float32": "float16"}.get(x.settings.learning.storage, "")
    if smaller == "float32" or (smaller and x.protocol.halves):
        takes = _share(x, estimate(x, smaller), ranks)
        bits = f"numbers of {8 * np.dtype(smaller).itemsize} bits, about {gigabytes(takes)}"
        ways += [f"{bits} (--set storage={smaller})"] if takes <= free else []
    if getattr(x.model, "k", 0) > 1:
        ways.append("fewer factors (--set model.k=N)")
    if any(memory_sizes(x.model)):
        ways.append("plain steps, which remember nothing (--set model.optimizer=sgd)")
    machines = max(2, -(-nodes // max(1, spare)))
    if machines <= users and not x.protocol.undivided(x.scenario()):
        ways.append(f"{machines:,} machines like this one (mpirun -n {machines} tacit run ... --engine mpi)")
    return ways


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
