"""From the words of the command line to an engine: `--engine local|ray[:ADDRESS]|mpi`, `--jobs N`."""

from __future__ import annotations

from collections.abc import Callable

from tacit.core.errors import BadInput
from tacit.engines.dispatch import Dispatch
from tacit.engines.local_jobs import LocalJobs
from tacit.engines.mpi_ranks import MpiRanks
from tacit.engines.ray_cluster import RayCluster
from tacit.experiment.batch import Engine
from tacit.simulator.partition import ALONE, Partition

_ALLOWED = "local, ray or ray:ADDRESS"


def partition_of(name: str, stop: Callable[[], bool] = lambda: False) -> Partition:
    """The processes that share one run; one that waits for another heeds `stop`."""
    if name == "mpi":
        return MpiRanks(stop)
    if name != "local":
        many = "; ray is for many runs: tacit sweep, compare, reproduce" if name.startswith("ray") else ""
        raise BadInput("--engine", got=name, allowed=f"local or mpi, for one run{many}")
    return ALONE


def engine_of(name: str = "local", jobs: int | None = None, threads: int | None = None) -> Engine | None:
    """The engine that carries out many runs; None: this process does, one run after the other."""
    kind, _, address = name.partition(":")
    if jobs is not None and jobs < 1:
        raise BadInput("--jobs", got=jobs, allowed="a whole number from 1")
    if kind == "ray":
        if jobs is not None:
            raise BadInput("--jobs", got=f"{jobs} beside --engine ray", allowed="one of the two")
        return Dispatch(lambda: RayCluster(address, threads))
    if kind == "mpi":
        raise BadInput("--engine", got="mpi", allowed=f"{_ALLOWED}; mpi is for one large run: tacit run")
    if name != "local":
        raise BadInput("--engine", got=name, allowed=_ALLOWED)
    return None if jobs in (None, 1) else Dispatch(lambda: LocalJobs(jobs, threads))
