"""What a protocol tells the runner. A module here holds one under the name `protocol`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tacit.core.compiled.threads import Workers
from tacit.core.interactions import Interactions, Ints
from tacit.core.message.update import Shield
from tacit.core.registry import build_part
from tacit.core.settings import Maybe, Number, OneOf, Parameter, Value, Whole
from tacit.data.splits import Split
from tacit.models.base import Model
from tacit.peer_sampling.graphs import Neighbours, complete, k_out
from tacit.simulator.churn.sessions import Sessions
from tacit.simulator.simulation import Setting, Simulation, ticks

Parameters = dict[str, Value]

BANDWIDTH = {"low": 1728.0, "high": 172.8}
"""Seconds a whole model takes (Hegedűs et al., section 6.2)."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a simulation is built from."""

    parameters: Parameters
    model: Model
    train: Interactions
    seed: int
    sessions: Sessions
    workers: Workers
    pi: npt.NDArray[np.float64] | None = None
    """What share of updates about own items each user discloses; None: all."""
    avoid: Interactions | None = None
    """What training negatives are drawn outside of; None: the training part."""
    held: Ints | None = None
    """How many of each user's interactions are in the test part."""

    def setting(self) -> Setting:
        """The part that every protocol needs."""
        p = self.parameters
        return Setting(
            model=self.model,
            train=self.train,
            seed=self.seed,
            sessions=self.sessions,
            epochs=int(p["epochs"] or 1),
            full_seconds=full_seconds(p),
            dtype=str(p["storage"]),
            workers=self.workers,
            init_data=p["init"] == "data",
        )


@dataclass(frozen=True, slots=True)
class Protocol:
    """How models travel."""

    about: str
    parameters: tuple[Parameter, ...]
    """Its own, beside those every run has."""
    build: Callable[[Plan], Simulation]
    memory: Callable[[Parameters, Model, Interactions, int], int]
    """Bytes for states and messages, given the size of a number."""
    notes: Callable[[str], list[str]] = lambda recipe: []
    """What a reader of its results must know."""
    remarks: Callable[[Parameters, Split], list[str]] = lambda parameters, split: []
    """The same, where it depends on parameters and data."""
    check: Callable[[Parameters, Model, Interactions, Interactions], None] = lambda p, model, train, avoid: (
        None
    )
    """Refuse, before anything starts, what it cannot do with these data; `avoid`: what negatives are outside of."""
    discloses: bool = False
    """Whether it heeds `pi`."""
    paper_negatives: bool = False
    """Whether it can draw training negatives as in `negatives=paper`."""
    server_steps: bool = False
    """Whether a server takes the steps of items, so that what Adam remembers of them is there, once."""
    one_core: bool = False
    """Whether learning is one long sequence, so that several runs are faster side by side, a core each."""
    rehearsal: Callable[[Parameters, int, int], Parameters] = lambda parameters, users, few: parameters
    """Parameters for a miniature with few users that compiles what the run with all its users needs."""


def full_seconds(parameters: Parameters) -> float:
    """How long a whole model takes from one node to another."""
    bandwidth: Any = parameters["bandwidth"]
    return BANDWIDTH[bandwidth] if isinstance(bandwidth, str) else float(bandwidth)


def horizon(parameters: Parameters, period: int) -> int:
    """How long a run lasts: its rounds, else its hours, else its epochs where a round is one."""
    if parameters["rounds"] is not None:
        return int(parameters["rounds"]) * period
    if parameters["hours"] is not None:
        return ticks(float(parameters["hours"]) * 3600)
    return int(parameters["epochs"] or 1) * period


def state_bytes(model: Model, items: int, size: int) -> int:
    """One node's shared state: rows, ages, dense part."""
    return items * (4 + size * model.row_width) + size * model.dense_size


EPOCHS = (
    Parameter("epochs", 20, "epochs to train: a round of the curve is one epoch", Whole(1)),
    Parameter("hours", None, "virtual hours to run, instead of epochs", Maybe(Number(0, 1e9, open_low=True))),
    Parameter("start", "synchronous", "rounds are synchronous", OneOf(("synchronous",))),
)
"""What protocols that count in epochs say of the time a run takes."""


def notes(recipe: str) -> list[str]:
    """What is different from everything else here."""
    return [f"{recipe} keeps nothing private: what every device sends is all of its ratings"]


def build_shields(p: Parameters) -> tuple[Shield, ...]:
    """What messages pass on their way out, beside subsampling."""
    return () if p["shield"] == "none" else (build_part("shield", p),)


def build_graph(parameters: Parameters, nodes: int, seed: int) -> Neighbours:
    """Who knows whom."""
    if parameters["graph"] == "complete":
        return complete(nodes)
    return k_out(nodes, int(parameters["graph.degree"] or 1), seed)


USER_VECTORS = Parameter(
    "user-vectors",
    "private",
    "does a user's vector stay on the device, or travel and get merged with the model?",
    OneOf(("private", "travel")),
)


TIME = (
    Parameter("rounds", 300, "rounds to run", Whole(1)),
    Parameter("start", "synchronous", "rounds are synchronous", OneOf(("synchronous",))),
)
