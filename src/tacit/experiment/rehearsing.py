"""A run in miniature: whatever a real one needs is compiled by it, so that learning can be timed by itself."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from tacit.core.compiling import kernel_folder
from tacit.core.interactions import Interactions
from tacit.core.registry import find
from tacit.core.workers import Workers
from tacit.experiment.building import build_simulation
from tacit.experiment.preparing import Experiment
from tacit.experiment.protocols.base import Plan, Protocol
from tacit.hosts.sim.sessions import always


def rehearse(x: Experiment) -> None:
    """Let three people live through three rounds of this experiment, and measure them."""
    tiny = Interactions.from_pairs([0, 1, 1, 2], [0, 0, 1, 2], [1, 2, 3, 4], users=3, items=30)
    protocol: Protocol = find("tacit.experiment.protocols", "protocol", str(x.parameters["protocol"]))
    evaluation = find("tacit.experiment.evaluations", "evaluation", str(x.parameters["evaluate"]))
    parameters = protocol.rehearsal(x.parameters, x.split.train.users, tiny.users)
    mini = build_simulation(Plan(parameters, x.model, tiny, x.seed, always(), Workers(1)))
    mini.advance(3 * mini.period)
    held = None if x.split.validation is None else tiny
    small = replace(x, split=replace(x.split, train=tiny, test=tiny, validation=held))
    evaluation(small, Workers(1)).per_user(mini)
    folder = kernel_folder()
    if folder is not None:
        _marker(folder, code_of(x.parameters)).touch()


def code_of(parameters: Mapping[str, Any]) -> str:
    """A name for the code that a run needs: names and switches among its parameters decide it, numbers do not."""
    names = sorted((key, value) for key, value in parameters.items() if isinstance(value, str | bool))
    return hashlib.sha256(repr(names).encode()).hexdigest()[:16]


def is_rehearsed(code: str) -> bool:
    """Whether this code is on disk, as far as is known; where nothing can be kept it never is."""
    folder = kernel_folder()
    return folder is not None and _marker(folder, code).exists()


def _marker(folder: Path, code: str) -> Path:
    return folder / f"run-{code}.warm"
