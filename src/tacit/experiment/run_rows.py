"""The item rows of a finished run, for programs that recommend from them: implicit ALS only.

`baseline/ials` is fitted again, which gives the same rows. `tacit/federated` has the server's rows. In `tacit/best`
every node has rows of its own: those of a node that read out most often are taken.
"""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tacit.baselines.ials import FactorScorer
from tacit.baselines.ials import ImplicitLeastSquares as CentralLeastSquares
from tacit.core.compiled.threads import Workers
from tacit.core.errors import BadInput
from tacit.core.math.als_solver import Doubles, by_rule, gram, solve_side
from tacit.experiment import run_folder
from tacit.experiment.experiment import Experiment
from tacit.experiment.trained import reopen
from tacit.models.ials import ImplicitLeastSquares
from tacit.protocols.baseline.protocol import FittedBaseline
from tacit.simulator.checkpoint import Reader

_ALLOWED = "a run of baseline/ials, tacit/best or tacit/federated"


@dataclass(frozen=True, slots=True, eq=False)
class RunRows:
    """Rows of a run, and vectors of its people that are solved for them."""

    experiment: Experiment
    rows: Doubles
    people: Doubles
    w0: float
    reg: float


def run_rows(
    folder: Path, progress: Callable[[int, int | None], None] | None = None, threads: int | None = None
) -> RunRows:
    """The rows that a run in a folder ended with."""
    experiment = reopen(folder, progress)
    if experiment.images is not None:
        raise BadInput("run", got="one on images", allowed=_ALLOWED, where=folder)
    workers, train = Workers(threads), experiment.split.train
    mean = len(train) / max(1, train.users)
    protocol, model = experiment.protocol, experiment.model
    chosen = protocol.baseline if isinstance(protocol, FittedBaseline) else model
    if not isinstance(chosen, CentralLeastSquares | ImplicitLeastSquares):
        raise BadInput("run", got=experiment.recipe, allowed=_ALLOWED, where=folder)
    rule = by_rule(mean, train.items)
    w0, reg = chosen.w0 or rule[0], chosen.reg or rule[1]
    if isinstance(chosen, CentralLeastSquares):
        fitted = chosen.fit(train, experiment.seed, workers)
        assert isinstance(fitted, FactorScorer)
        return RunRows(experiment, fitted.rows, fitted.factors, w0, reg)
    rows = _saved_rows(folder / run_folder.STATE)
    people = np.zeros((train.users, rows.shape[1]))
    workers.run(solve_side, train.users, train.start, train.item, rows, gram(rows), w0, reg, people)
    return RunRows(experiment, rows, people, w0, reg)


def _saved_rows(path: Path) -> Doubles:
    try:
        with Reader(path) as arrays:
            most = int(np.argmax(arrays["clock"]))
            return np.asarray(arrays.row("rows", most), np.float64)
    except (KeyError, ValueError, IndexError, OSError, EOFError, zipfile.BadZipFile):
        raise BadInput("models", got="a damaged file", allowed="run it again", where=path) from None
