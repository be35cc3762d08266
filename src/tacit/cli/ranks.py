"""One command in several processes: the first one speaks, and what ends one ends all, in one line."""

from __future__ import annotations

import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tacit.cli.console import Stopper, exit_code, explain

if TYPE_CHECKING:
    from tacit.simulator.partition import Partition

_FIRST_SPEAKS = 3.0
"""Seconds in which the first rank, if it fails too, has ended all others."""

_SPOKEN = 0.5
"""Seconds until mpirun has passed on what was said."""


@contextmanager
def sharing(engine: str, stop: Stopper, debug: bool = False) -> Iterator[Partition]:
    """The processes that share a run: this one, or the ranks of MPI. `debug`: a rank shows where its error is from."""
    from tacit.engines.engine_names import partition_of

    ranks = partition_of(engine, stop.asked)
    if ranks.ranks == 1:
        yield ranks
        return
    stop.silent = True
    try:
        yield ranks
    except BaseException as problem:
        if debug:
            traceback.print_exception(problem)
        if ranks.refused:  # by all, so nobody waits for anybody
            code = explain(problem) if ranks.first else exit_code(problem)
            ranks.total(0)  # mpirun may end the others as soon as one has ended
            raise SystemExit(code) from None
        if not ranks.first:
            time.sleep(_FIRST_SPEAKS)
        code = explain(problem, ranks.rank)
        time.sleep(_SPOKEN)
        ranks.end(code)
        raise
