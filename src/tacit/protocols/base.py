"""What a protocol is: a frozen dataclass whose fields are its settings, and that builds a simulation.

    Gossip(merge=AgeAverage(), subsample=0.1)

A protocol's folder holds its class under the name `protocol` in `protocol.py`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import ClassVar, Literal, Self

from tacit.core.errors import BadInput
from tacit.core.interactions import Interactions
from tacit.core.message.update import Shield
from tacit.core.settings import Flat, Value
from tacit.models.base import Model
from tacit.peer_sampling.graphs import Neighbours, complete, k_out
from tacit.privacy.none import Nothing
from tacit.simulator.simulation import Scenario, Simulation

UserVectors = Literal["private", "travel"]
USER_VECTORS = (
    "does a user's vector stay on the device, or travel and get merged with the model? (open in PEPPER)"
)


class Protocol(ABC):
    """How models travel."""

    name: ClassVar[str]
    about: ClassVar[str]
    """In one line, for lists."""
    run_defaults: ClassVar[Mapping[str, Value]] = {}
    """Settings of every run that have another default with this protocol."""
    discloses: ClassVar[bool] = False
    """Whether it heeds `pi`."""
    paper_negatives: ClassVar[bool] = False
    """Whether it can draw training negatives as in `negatives=paper`."""
    server_steps: ClassVar[bool] = False
    """Whether a server takes the steps of items, so that what Adam remembers of them is there, once."""
    one_core: ClassVar[bool] = False
    """Whether learning is one long sequence, so that several runs are faster side by side, a core each."""
    ignores_churn: ClassVar[bool] = False
    """Whether it makes no difference who is online."""
    all_online: ClassVar[bool] = False
    """Whether everybody has to stay online."""
    repeats_days: ClassVar[bool] = False
    """Whether who is online when is repeated, as rounds of single clients last for years, and everybody is measured."""
    no_shield: ClassVar[str] = ""
    """Why nothing can change its messages on their way out; empty where a `shield` can."""
    halves: ClassVar[bool] = False
    """Whether models can be kept in half precision (`storage=float16`)."""
    synchronous: ClassVar[bool] = False
    """Whether rounds begin for everybody at once, so that there is nothing to stagger."""

    @property
    def round_transfers(self) -> int:
        """How many transfers of a whole model a round takes at most."""
        return 2

    @abstractmethod
    def build(self, scenario: Scenario) -> Simulation:
        """The simulation, with every node initialized."""

    @abstractmethod
    def memory(self, model: Model, train: Interactions, size: int) -> int:
        """Bytes for states and messages, given the size of a number."""

    def undivided(self, scenario: Scenario) -> str:
        """Why several processes cannot share a run (`--engine mpi`), and what could; empty where they can."""
        return f"protocol {self.name}; allowed: gossip, view-gossip and federated"

    def check(self, scenario: Scenario, run: Flat) -> None:  # noqa: B027 - most have nothing to refuse
        """Refuse, before anything starts, what it cannot do with these data and settings of the run."""

    def notes(self, recipe: str, scenario: Scenario) -> list[str]:
        """What a reader of its results must know."""
        return []

    def rehearsal(self, users: int, few: int) -> Self:
        """The protocol for a miniature with few users that compiles what the run with all its users needs."""
        return self


SHIELD = "what changes a message on its way out"
SENDS_DATA = "what is sent is everybody's data itself, not a model"


def shields_of(shield: Shield) -> tuple[Shield, ...]:
    """What messages pass on their way out."""
    return () if isinstance(shield, Nothing) else (shield,)


def undivided_shield(shield: Shield) -> str:
    """Why a run with a shield cannot be shared."""
    return "" if isinstance(shield, Nothing) else f"shield {type(shield).__name__}; allowed: none"


def build_graph(graph: Literal["k-out", "complete"], degree: int, nodes: int, seed: int) -> Neighbours:
    """Which nodes each node knows."""
    return complete(nodes) if graph == "complete" else k_out(nodes, degree, seed)


def needs_no_negatives(model: Model, name: str) -> None:
    """Refuse a model that learns from items its user does not have."""
    if getattr(model, "draws_negatives", False):
        allowed = f"one that draws no negatives, such as mf, with protocol {name}"
        raise BadInput("model", got=model.name, allowed=allowed)


def nothing_private(recipe: str) -> list[str]:
    """What a reader must know of learning in one place."""
    return [f"{recipe} keeps nothing private: what every device sends is all of its ratings"]


def state_bytes(model: Model, items: int, size: int) -> int:
    """One node's shared state. With half precision ages are as short as rows; the dense part is not."""
    return items * (min(size, 4) + size * model.row_width) + max(size, 4) * model.dense_size
