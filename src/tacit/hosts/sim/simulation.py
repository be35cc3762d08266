"""What every simulated protocol offers to whoever runs it: advance in virtual time, look, save, go on."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from tacit.core.compiling import specialize
from tacit.core.interactions import Interactions, Ints
from tacit.core.ledger import Tally
from tacit.core.state import NodeState
from tacit.core.workers import Workers
from tacit.hosts.sim import evaluate_loop
from tacit.hosts.sim.fleet import Fleet, local
from tacit.hosts.sim.sessions import SECOND, Sessions
from tacit.hosts.sim.snapshot import Arrays, Reader
from tacit.models.base import Model


@dataclass(frozen=True, slots=True)
class Setting:
    """What a simulation is made of, whatever its protocol."""

    model: Model
    train: Interactions
    seed: int
    sessions: Sessions
    epochs: int = 1
    full_seconds: float = 1728.0
    """How long a whole model takes from one node to another."""
    dtype: str = "float32"
    workers: Workers = field(default_factory=Workers)
    init_data: bool = False
    """Whether models start from the data (`init=data`)."""


class Simulation(Protocol):
    """A protocol under way in virtual time."""

    now: int
    """Microseconds; everything up to and including this instant has happened."""

    @property
    def tally(self) -> Tally:
        """What every user's device sent."""
        ...

    @property
    def node_rounds(self) -> int:
        """How often any node has learned."""
        ...

    @property
    def messages(self) -> int:
        """Messages sent, lost ones included."""
        ...

    @property
    def bytes(self) -> int:
        """Bytes sent, lost ones included."""
        ...

    @property
    def period(self) -> int:
        """Microseconds of one round."""
        ...

    @property
    def fleet(self) -> Fleet:
        """The models nodes would recommend with now."""
        ...

    def advance(self, until: int) -> None:
        """Let everything happen up to and including `until`."""
        ...

    def save(self) -> Arrays:
        """Everything needed to go on later and end with the same bits."""
        ...

    def restore(self, arrays: Reader) -> None:
        """Go on from what `save` gave and `snapshot.write` wrote."""
        ...


@runtime_checkable
class Costed(Protocol):
    """A simulation with figures of its own about what it cost."""

    def costs(self) -> dict[str, float]:
        """Further entries of the result's "cost"."""
        ...

    def updates_per_item(self) -> Ints:
        """How many updates of each item the server received."""
        ...


@runtime_checkable
class Observed(Protocol):
    """A simulation that knows more about single nodes than what they sent."""

    def per_node(self) -> dict[str, npt.NDArray[Any]]:
        """Further columns of the per-user table."""
        ...


@runtime_checkable
class Counted(Protocol):
    """A simulation in which some nodes' figures do not count."""

    @property
    def counted(self) -> npt.NDArray[np.bool_]:
        """Whose do."""
        ...


def ticks(seconds: float) -> int:
    """Seconds as whole microseconds."""
    return round(seconds * SECOND)


def prediction_errors(
    model: Model, fleet: Fleet, test: Interactions, scale: tuple[float, float], lazy: bool, workers: Workers
) -> npt.NDArray[np.float64]:
    """Prediction minus rating for every test entry, each user by the model of their own node."""
    loop = specialize(evaluate_loop, score=model.kernels.score, unseen=model.kernels.unseen)
    out = np.zeros(len(test))
    middle = (scale[0] + scale[1]) / 2
    parts = (fleet.slots, fleet.slot, fleet.private, local(test))
    workers.run(loop.errors, test.users, *parts, lazy, middle, model.hyper(), out)
    return out


def scores(model: Model, state: NodeState) -> npt.NDArray[np.float64]:
    """One node's score of every item, by its own model."""
    loop = specialize(evaluate_loop, score=model.kernels.score, unseen=model.kernels.unseen)
    out = np.zeros(len(state.rows))
    loop.score_all(state.rows, state.dense, state.private, model.hyper(), out)
    return out
