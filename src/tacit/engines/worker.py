"""A process that carries out runs for another one: orders come in as lines of JSON, answers go out the same way.

Ctrl-C is left to the process that gives orders. When that one asks (SIGTERM), or is gone, the run saves and stops.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from queue import Queue

import msgspec

from tacit.engines.orders import Answer, Order, carry_out


def main() -> None:
    """Take orders until there are no more."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb", buffering=0)
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a part prints must not look like an answer
    stop = threading.Event()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda number, frame: stop.set())
    for order in _orders(stop):
        answer = Answer("stopped") if stop.is_set() else carry_out(order, stop.is_set)
        answers.write(msgspec.json.encode(answer) + b"\n")


def _orders(stop: threading.Event) -> Iterator[Order]:
    """Orders as they come. The end of input stops the run that is on its way."""
    lines: Queue[bytes | None] = Queue()

    def read() -> None:
        for line in sys.stdin.buffer:
            lines.put(line)
        stop.set()
        lines.put(None)

    threading.Thread(target=read, daemon=True).start()
    while (line := lines.get()) is not None:
        yield msgspec.json.decode(line, type=Order)


if __name__ == "__main__":
    main()
