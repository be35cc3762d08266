"""Warm-up: compile what a run needs before it is timed, by a run in miniature; and ahead of time in another process.

`warm_up` lets three users go through three rounds. Numba compiles on one core, so the first time that many runs are
made, half of the wait is compiling. `compiling_ahead` starts a second process that begins with the last run's code;
both keep what they compiled in the same folder.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Any

import msgspec

from tacit.core.child_process import environment
from tacit.core.compiled.compiling import kernel_folder, marker
from tacit.core.compiled.failures import compiling_explained
from tacit.core.compiled.threads import Workers
from tacit.core.errors import BadInput
from tacit.core.interactions import Interactions
from tacit.core.where import where_defined
from tacit.experiment.evaluations.base import check_measures
from tacit.experiment.experiment import Experiment
from tacit.experiment.foreign_parts import outside_explained
from tacit.experiment.prepare import prepare
from tacit.experiment.recipes import recipe
from tacit.experiment.run_settings import settle
from tacit.simulator.churn.sessions import always
from tacit.simulator.simulation import Simulation

RunSpec = tuple[str, str, dict[str, Any]]
"""Recipe, data and settings of a run."""


@compiling_explained()
def warm_up(x: Experiment) -> None:
    """Compile what this experiment needs: three users go through three rounds of it and are measured."""
    with outside_explained(x.model, x.protocol):
        _rehearse(x)
    done = marker(f"run-{code_of(x.parameters)}")
    if done is not None:
        done.touch()


def _rehearse(x: Experiment) -> None:
    tiny = Interactions.from_pairs([0, 1, 1, 2], [0, 0, 1, 2], [1, 2, 3, 4], users=3, items=30)
    held = None if x.split.validation is None else tiny
    parts = replace(x.split, train=tiny, test=tiny, validation=held)
    small = replace(x, split=parts, sessions=always(), disclosing=None)
    protocol = x.protocol.rehearsal(x.split.train.users, tiny.users)
    # Without a weighting set, a disclosure or other negatives: what is compiled is the same.
    mini = protocol.build(
        replace(
            small.scenario(Workers(1)),
            pi=None,
            may_leave=None,
            triples=None,
            avoid=None,
            held=None,
            interactions=None,
        )
    )
    if not isinstance(mini, Simulation):
        what, got = f"build of protocol {type(protocol).__name__}", f"a {type(mini).__name__}"
        raise BadInput(what, got=got, allowed="a Simulation", where=where_defined(type(protocol)))
    mini.advance(3 * mini.period)
    check_measures(x.evaluation(small, Workers(1)), mini)


@contextmanager
def compiling_ahead(runs: Sequence[RunSpec]) -> Iterator[None]:
    """While this lasts, what these runs need is compiled, the last one's first; nothing where all of it is on disk."""
    first = {_code(run): run for run in reversed(runs)}
    left = [run for code, run in first.items() if not is_compiled(code)]
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


def compile_all(runs: Sequence[RunSpec]) -> None:
    """Warm up for every run whose code is not on disk yet. A run that cannot be prepared is left out."""
    for run in runs:
        if not is_compiled(_code(run)):
            with suppress(BadInput):
                warm_up(prepare(*run, settled=True))


def is_compiled(code: str) -> bool:
    """Whether this code is on disk, as far as is known; where nothing can be kept it never is."""
    done = marker(f"run-{code}")
    return done is not None and done.exists()


def code_of(parameters: Mapping[str, Any]) -> str:
    """A key for the code that a run needs. Names and switches among its parameters decide it, numbers do not."""
    names = sorted((key, value) for key, value in parameters.items() if isinstance(value, str | bool))
    return hashlib.sha256(repr(names).encode()).hexdigest()[:16]


def _code(run: RunSpec) -> str:
    name, _, settings = run
    return code_of(settle(recipe(name).parameters, settings))


if __name__ == "__main__":
    compile_all(msgspec.json.decode(sys.stdin.buffer.read(), type=list[RunSpec]))
