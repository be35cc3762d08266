"""What every simulated protocol offers to whoever runs it: advance in virtual time, look, save, go on."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from tacit.core.compiled.threads import Workers
from tacit.core.interactions import Interactions, Ints
from tacit.core.traffic import Tally
from tacit.models.base import Model
from tacit.simulator.checkpoint import Arrays, Reader
from tacit.simulator.churn.sessions import SECOND, Sessions
from tacit.simulator.fleet import Fleet


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
