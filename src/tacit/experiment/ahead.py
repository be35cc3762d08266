"""Code for later runs, compiled in a process of its own while the first ones are on their way.

Numba compiles on one core. The first time that many runs are made, half of the wait is compiling; a second process
begins at the other end, and both keep what they compiled in the same folder.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import msgspec

from tacit.core.compiling import kernel_folder
from tacit.core.errors import BadInput
from tacit.experiment.parameters import settle
from tacit.experiment.preparing import prepare
from tacit.experiment.recipes import recipe
from tacit.experiment.rehearsing import code_of, is_rehearsed, rehearse
from tacit.hosts.live.processes import environment

Wanted = tuple[str, str, dict[str, Any]]
"""Recipe, data and settings of a run."""


@contextmanager
def compiling_ahead(runs: Sequence[Wanted]) -> Iterator[None]:
    """While this lasts, what these runs need is compiled, the last one's first; nothing where all of it is on disk."""
    first = {_code(run): run for run in reversed(runs)}
    left = [run for code, run in first.items() if not is_rehearsed(code)]
    if len(left) < 2 or kernel_folder() is None:
        yield
        return
    process = subprocess.Popen(
        [sys.executable, "-m", __name__],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment(),
    )
    assert process.stdin is not None
    try:
        with suppress(OSError):  # it ended early: then everything is compiled here
            process.stdin.write(msgspec.json.encode(left))
            process.stdin.close()
        yield
    finally:
        process.terminate()
        process.wait()


def compile_all(runs: Sequence[Wanted]) -> None:
    """Rehearse every run that nobody has rehearsed by now; one that cannot be prepared is left to who wants it."""
    for run in runs:
        if not is_rehearsed(_code(run)):
            with suppress(BadInput):
                rehearse(prepare(*run))


def _code(run: Wanted) -> str:
    name, _, settings = run
    return code_of(settle(recipe(name).parameters, settings))


if __name__ == "__main__":
    compile_all(msgspec.json.decode(sys.stdin.buffer.read(), type=list[Wanted]))
