"""What every simulated protocol offers to its caller: advance in virtual time, look, save, resume."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from tacit.core.compiled.threads import Workers
from tacit.core.interactions import Interactions, Ints
from tacit.core.node_state import NodeState
from tacit.core.scorer import Scorer
from tacit.core.traffic import Traffic
from tacit.models.base import Model
from tacit.simulator.checkpoint import Arrays, Reader, own_part, whole
from tacit.simulator.churn.sessions import SECOND, Sessions
from tacit.simulator.fleet import Fleet, Slots
from tacit.simulator.partition import ALONE, Partition


@dataclass(frozen=True, slots=True)
class Scenario:
    """What a simulation is made of, whatever its protocol."""

    model: Model
    train: Interactions
    seed: int
    sessions: Sessions
    """Which nodes are online when."""
    epochs: int = 1
    full_seconds: float = 1728.0
    """How long a whole model takes from one node to another."""
    dtype: str = "float32"
    workers: Workers = field(default_factory=Workers)
    init_data: bool = False
    """Whether models start from the data (`init=data`)."""
    staggered: bool = True
    """Whether first sends are spread over a period."""
    pi: npt.NDArray[np.float64] | None = None
    """What share of updates about own items each user discloses; None: all."""
    may_leave: npt.NDArray[np.bool_] | None = None
    """Which entries of the training part updates may be sent about at all; None: all."""
    triples: Ints | None = None
    """How many triples each user draws per round; None: as the protocol says."""
    interactions: int | None = None
    """How many training interactions people have, those that take no part included; None: as many as `train`."""
    avoid: Interactions | None = None
    """What training negatives are drawn outside of; None: the training part."""
    held: Ints | None = None
    """How many of each user's interactions are in the test part."""
    partition: Partition = ALONE
    """Which nodes this process has, where several share the run."""


class Simulation(ABC):
    """A protocol under way in virtual time."""

    now: int = -1
    """Microseconds; everything up to and including this instant has happened."""
    period: int
    """Microseconds of one round."""
    node_rounds: int = 0
    """How often any node has learned."""
    traffic: Traffic
    """What every user's device sent."""
    fleet: Fleet
    """The models nodes would recommend with now."""
    partition: Partition = ALONE
    """Which of the models are in this process."""
    saved_counters: ClassVar[tuple[str, ...]] = ()
    """Attributes that are whole numbers and part of the state."""
    divided: ClassVar[tuple[str, ...]] = ()
    """Saved arrays of which every rank has a stretch, in order of node; the others are the same on all ranks."""

    @property
    def scorer(self) -> Scorer | None:
        """What ranks, where that is not every node's own model."""
        return None

    def node(self, user: int) -> NodeState:
        """The model that a user's own node would recommend with now."""
        return self.fleet.node(user)

    @property
    def one_model(self) -> bool:
        """Whether all users share one model of the items."""
        return bool((self.fleet.slot == self.fleet.slot[0]).all())

    @property
    def counted(self) -> npt.NDArray[np.bool_] | None:
        """Whose figures count; None: everybody's."""
        return None

    @property
    def messages(self) -> int:
        """Messages sent, lost ones included."""
        return int(self.traffic.updates.sum())

    @property
    def bytes(self) -> int:
        """Bytes sent, lost ones included."""
        return int(self.traffic.bytes.sum())

    @abstractmethod
    def advance(self, until: int) -> None:
        """Let everything happen up to and including `until`."""

    def saved_arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Arrays that are part of the state beside models and traffic; they are restored in place."""
        return {}

    def save(self) -> Arrays:
        """Everything needed to go on later and end with the same bits."""
        fleet, p = self.fleet, self.partition  # some make it anew each time
        arrays = {
            **fleet.slots._asdict(),
            "slot": fleet.slot,
            "private": fleet.private,
            **self.saved_arrays(),
        }
        if p.ranks > 1:
            p.complete(fleet.private)
            if "rows" in self.divided:
                arrays["slot"] = np.arange(len(fleet.slot), dtype=np.int32)
            arrays |= {name: whole(arrays[name], p) for name in self.divided if name in arrays}
        return {
            **arrays,
            "state": np.array(
                [self.now, self.node_rounds, *(getattr(self, name) for name in self.saved_counters)]
            ),
            "traffic": self.traffic.stack(),
        }

    def restore(self, arrays: Reader) -> None:
        """Go on from what `save` gave and `checkpoint.write` wrote."""
        fleet = self.fleet
        for name in Slots._fields:
            self._read(arrays, name, getattr(fleet.slots, name))
        arrays.into("private", fleet.private)
        self.restore_rest(arrays)

    def _read(self, arrays: Reader, name: str, out: npt.NDArray[Any]) -> None:
        """An array, or this rank's stretch of it."""
        if self.partition.ranks > 1 and name in self.divided:
            own_part(arrays, name, out, self.partition)
        else:
            arrays.into(name, out)

    def restore_rest(self, arrays: Reader) -> None:
        """Everything but the models themselves."""
        for name, array in self.saved_arrays().items():
            self._read(arrays, name, array)
        self.now, self.node_rounds, *numbers = (int(x) for x in arrays["state"])
        for name, number in zip(self.saved_counters, numbers, strict=True):
            setattr(self, name, number)
        self.traffic.restore(arrays["traffic"])

    def costs(self) -> dict[str, float]:
        """Further entries of the result's "cost"."""
        return {}

    def updates_per_item(self) -> Ints | None:
        """How many updates of each item a server received; None where nobody counts them."""
        return None

    def per_node(self) -> dict[str, npt.NDArray[Any]]:
        """Further columns of the per-user table."""
        return {}


class ServerSimulation(Simulation):
    """A server and its clients: what they upload is their traffic, and every upload follows a download."""

    downloads: int = 0
    download_bytes: int = 0
    """Bytes of one download."""

    @property
    def messages(self) -> int:
        """Downloads and uploads, lost ones included."""
        return self.downloads + int(self.traffic.updates.sum())

    @property
    def bytes(self) -> int:
        """Bytes of downloads and uploads, lost ones included."""
        return self.downloads * self.download_bytes + int(self.traffic.bytes.sum())


def ticks(seconds: float) -> int:
    """Seconds as whole microseconds."""
    return round(seconds * SECOND)
