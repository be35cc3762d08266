"""Places that are tasks of Ray: `--engine ray` on this machine, `--engine ray:ADDRESS` on a cluster.

Each run declares its cores and its memory. A worker that dies is replaced, and its run is tried again. Where the
workers see the folder of the batch, a run goes on from its last saved state; elsewhere its files are sent back.
"""

from __future__ import annotations

import os
import secrets
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, redirect_stdout
from pathlib import Path
from types import TracebackType
from typing import Any

import msgspec

from tacit.core.atomic_files import atomic_write
from tacit.core.errors import BadInput, TooBig, install
from tacit.engines.orders import Answer, Order, carry_out
from tacit.experiment.memory_estimate import gigabytes

_TRIES = 3
_ASK = 1.0
"""Seconds between two questions of a run whether to stop."""
_CONNECT, _HEALTH = 5.0, 30.0
"""Seconds to wait until a cluster's port opens, and for its answer."""
Files = dict[str, bytes]


class RayCluster:
    """As many runs at a time as the cluster's cores and memory allow."""

    def __init__(self, address: str = "", threads: int | None = None) -> None:
        self.threads: int | None = threads or 1
        self._address = address
        self._ray: Any = None
        self._flag: Any = None
        self._runs: dict[Any, tuple[int, Order]] = {}
        self._mark: Path | None = None
        self._open = ExitStack()

    def __enter__(self) -> RayCluster:
        ray = self._ray = _load_ray()
        words: dict[str, Any] = {"address": self._address} if self._address else {"include_dashboard": False}
        with ExitStack() as opening:
            opening.enter_context(_stdout_to_stderr())
            try:
                _knock(self._address)
                ray.init(
                    **words,
                    log_to_driver=False,
                    logging_level="ERROR",
                    ignore_reinit_error=True,
                    namespace="tacit",
                )
            except (OSError, RuntimeError, ValueError) as problem:
                why = " ".join(str(problem).split())[:150]
                raise BadInput(
                    "--engine",
                    got=f"ray:{self._address} ({why})",
                    allowed="the address of a Ray cluster that runs (ray start --head), or ray without an address",
                ) from None
            opening.callback(ray.shutdown)
            self._flag = ray.remote(num_cpus=0)(_Flag).remote()
            self._open = opening.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._mark is not None:
            self._mark.unlink(missing_ok=True)
        self._runs.clear()
        self._open.close()

    def has_room(self, memory: int) -> bool:
        """Ray itself makes runs wait; it gets just enough of them to keep its places busy."""
        nodes = [node["Resources"] for node in self._ray.nodes() if node["Alive"]]
        cores = self.threads or 1
        large = [node for node in nodes if node.get("memory", 0) >= memory]
        if not large:
            most = max((node.get("memory", 0) for node in nodes), default=0)
            raise TooBig(
                f"memory: a run needs about {gigabytes(memory)}; "
                f"the largest machine of the cluster has {gigabytes(int(most))}"
            )
        if not any(node.get("CPU", 0) >= cores for node in large):
            most = int(max(node.get("CPU", 0) for node in large))
            raise BadInput(
                "--threads", got=cores, allowed=f"at most {most}, the cores of a machine of the cluster"
            )
        places = sum(int(node.get("CPU", 0)) // cores for node in large)
        return len(self._runs) < 2 * max(1, places)

    def start(self, place: int, order: Order, memory: int) -> None:
        """Hand a run to Ray."""
        if self._mark is None:
            self._mark = Path(order.out) / f".engine-{secrets.token_hex(8)}"
            self._mark.touch()
        task = self._ray.remote(
            num_cpus=self.threads, memory=memory, max_retries=_TRIES, retry_exceptions=False
        )(_carry_out)
        run = task.remote(msgspec.json.encode(order), self._mark.name, self._flag)
        self._runs[run] = place, order

    def ended(self, seconds: float) -> list[tuple[int, Answer]]:
        """Runs that ended; waits up to this many seconds for one."""
        done, _ = self._ray.wait(list(self._runs), num_returns=len(self._runs), timeout=seconds)
        return [self._answer(run) for run in done]

    def _answer(self, run: Any) -> tuple[int, Answer]:
        place, order = self._runs.pop(run)
        try:
            said, files = self._ray.get(run)
        except self._ray.exceptions.RayError as problem:
            why = " ".join(str(problem).split())[:200]
            return place, Answer("failed", f"Ray gave it up after {_TRIES + 1} tries: {why}")
        for name, content in files.items():
            path = Path(order.out) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            with atomic_write(path) as scratch:
                scratch.write_bytes(content)
        return place, msgspec.json.decode(said, type=Answer)

    def stop(self) -> None:
        """Ask every run to stop with a state to go on from, and wait until all have."""
        self._ray.get(self._flag.set.remote())
        while self._runs:
            self.ended(1.0)


class _Flag:
    """Whether all runs are to stop; one for the whole cluster."""

    def __init__(self) -> None:
        self._set = False

    def set(self) -> None:
        self._set = True

    def get(self) -> bool:
        return self._set


def _carry_out(text: bytes, mark: str, flag: Any) -> tuple[bytes, Files]:
    """What a worker does: the run, in the folder of its batch if that is there, else in one whose files it sends."""
    order = msgspec.json.decode(text, type=Order)
    stop = _asking(flag)
    if (Path(order.out) / mark).exists():
        return msgspec.json.encode(carry_out(order, stop)), {}
    with tempfile.TemporaryDirectory(prefix="tacit-") as scratch:
        answer = carry_out(msgspec.structs.replace(order, out=scratch), stop)
        root = Path(scratch)
        files = {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}
        return msgspec.json.encode(answer), files


def _asking(flag: Any) -> Callable[[], bool]:
    """Ask the flag, at most once per second."""
    import ray

    asked, said = 0.0, False

    def stop() -> bool:
        nonlocal asked, said
        if time.monotonic() >= asked + _ASK:
            said = bool(ray.get(flag.get.remote()))
            asked = time.monotonic()
        return said

    return stop


def _knock(address: str) -> None:
    """Fail soon where no cluster answers: Ray itself tries for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not (host and port.isdigit()):
        return
    socket.create_connection((host, int(port)), _CONNECT).close()
    if address.startswith("ray://"):
        return
    asked = [sys.executable, "-m", "ray.scripts.scripts", "health-check", "--address", address]
    try:
        answer = subprocess.run(asked, capture_output=True, timeout=_HEALTH, check=False).returncode
    except subprocess.TimeoutExpired:
        answer = 1
    if answer:
        raise ConnectionError("something else than a Ray cluster listens there")


@contextmanager
def _stdout_to_stderr() -> Iterator[None]:
    """Ray says on standard output that a worker died, and there our results go."""
    sys.stdout.flush()
    kept = os.dup(1)
    os.dup2(2, 1)
    try:
        with redirect_stdout(sys.stderr):
            yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)


def _load_ray() -> Any:
    try:
        import ray
    except ImportError:
        raise BadInput("--engine", got="ray, which is not installed", allowed=install("ray")) from None
    return ray
