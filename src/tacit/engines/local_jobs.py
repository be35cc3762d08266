"""Places that are processes of this machine: `--jobs N`.

Each takes its share of the cores. A process that dies is replaced, and its run goes on from its last saved state.
"""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from queue import Empty, Queue
from threading import Thread
from types import TracebackType

import msgspec

from tacit.core.child_process import environment
from tacit.core.compiled.threads import Workers
from tacit.core.errors import TooBig
from tacit.engines.orders import Answer, Order
from tacit.experiment.memory_estimate import available, gigabytes

_TRIES = 3
"""How often a run is given to a process that dies."""


@dataclass(slots=True)
class _Process:
    """A worker, and the run it has."""

    popen: subprocess.Popen[bytes]
    place: int | None = None
    order: Order | None = None
    memory: int = 0


class LocalJobs:
    """So many runs at a time, each in a process of its own."""

    def __init__(self, count: int, threads: int | None = None) -> None:
        self.threads: int | None = threads or max(1, Workers(None).threads // count)
        self._count = count
        self._processes: list[_Process] = []
        self._said: Queue[tuple[_Process, bytes]] = Queue()
        self._tries: Counter[int] = Counter()

    def __enter__(self) -> LocalJobs:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """Ask every run to stop with a state to go on from, and wait until all have: the end of input says it."""
        for process in self._processes:
            assert process.popen.stdin is not None
            process.popen.stdin.close()
        for process in self._processes:
            process.popen.wait()
        self._processes.clear()

    def has_room(self, memory: int) -> bool:
        """Whether a process is free and the memory is there that no other run has asked for."""
        busy = [process for process in self._processes if process.order is not None]
        free = available()
        if not busy and memory > free:
            raise TooBig(f"memory: a run needs about {gigabytes(memory)}; there are {gigabytes(free)}")
        # What runs have asked for is counted twice once they have it: rather too few at a time than too many.
        return len(busy) < self._count and (not busy or memory + sum(p.memory for p in busy) <= free)

    def start(self, place: int, order: Order, memory: int) -> None:
        """Give a run to a free process, or to a new one."""
        process = next((one for one in self._processes if one.order is None), None) or self._new()
        self._give(process, place, order, memory)

    def _new(self) -> _Process:
        # In a group of its own: Ctrl-C at a terminal reaches this process only, which asks the others to stop.
        popen = subprocess.Popen(
            [sys.executable, "-m", "tacit.engines.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment(),
            start_new_session=True,
        )
        process = _Process(popen)
        self._processes.append(process)
        Thread(target=self._listen, args=(process,), daemon=True).start()
        return process

    def _listen(self, process: _Process) -> None:
        """Pass on a process's answers, and an empty one when it has ended."""
        assert process.popen.stdout is not None
        for line in process.popen.stdout:
            self._said.put((process, line))
        self._said.put((process, b""))

    def _give(self, process: _Process, place: int, order: Order, memory: int) -> None:
        process.place, process.order, process.memory = place, order, memory
        self._tries[place] += 1
        assert process.popen.stdin is not None
        try:
            process.popen.stdin.write(msgspec.json.encode(order) + b"\n")
            process.popen.stdin.flush()
        except BrokenPipeError:
            return  # its end is noticed, and the run given to another one

    def ended(self, seconds: float) -> list[tuple[int, Answer]]:
        """Runs that ended; waits up to this many seconds for one."""
        found: list[tuple[int, Answer]] = []
        try:
            while True:
                process, line = self._said.get(timeout=0 if found else seconds)
                found += self._heard(process, line)
        except Empty:
            return found

    def _heard(self, process: _Process, line: bytes) -> list[tuple[int, Answer]]:
        place, order, memory = process.place, process.order, process.memory
        process.place, process.order, process.memory = None, None, 0
        if line:
            answer = msgspec.json.decode(line, type=Answer)
            return [] if place is None else [(place, answer)]
        code = process.popen.wait()
        if process in self._processes:
            self._processes.remove(process)
        if place is None or order is None:
            return []
        if self._tries[place] < _TRIES:
            self._give(self._new(), place, order, memory)
            return []
        return [(place, Answer("failed", f"its process died {_TRIES} times, the last time with code {code}"))]
