"""`Experiment`: the record of a run that is ready to start. Its settings, data, protocol and model."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from tacit.core.compiled.threads import Workers
from tacit.core.interactions import Interactions, Ints
from tacit.core.settings import Flat
from tacit.data.dataset import Dataset
from tacit.data.images import Images
from tacit.data.source_rows import SourceRows
from tacit.data.splits import Split
from tacit.experiment.disclosing import Disclosing
from tacit.experiment.result import VERSION
from tacit.experiment.run_settings import RunSettings
from tacit.models.base import Model
from tacit.protocols.base import Protocol
from tacit.simulator.churn.sessions import Sessions
from tacit.simulator.partition import ALONE, Partition
from tacit.simulator.simulation import Scenario

if TYPE_CHECKING:
    from tacit.experiment.evaluations.base import Evaluation


@dataclass(slots=True)
class Experiment:
    """A run that is ready to start."""

    recipe: str
    seed: int
    parameters: Flat
    """Everything that was set, by the names users write."""
    settings: RunSettings
    protocol: Protocol
    evaluation: type[Evaluation]
    dataset: Dataset
    split: Split
    scale: tuple[float, float]
    model: Model
    sessions: Sessions
    """Which node is online when."""
    memory: int = 0
    source: str | None = None
    """The name or the path that the data set is found by again; None for a frame."""
    rows: SourceRows | None = None
    """Its data as they were given, where they have no name or path."""
    notes: list[str] = field(default_factory=list)
    images: Images | None = None
    """Given where the data are images."""
    disclosing: Disclosing | None = None
    """What each person discloses; None: everybody everything."""
    triples: Ints | None = None
    """How many triples each user draws per round, where a file says so."""
    whole: Dataset | None = None
    """The data set with its whole catalogue, where `dataset` has only items of the training part."""

    @property
    def held_out(self) -> Interactions:
        """The part that is measured: the test part, or the validation part while tuning."""
        if self.settings.evaluation.on == "validation" and self.split.validation is not None:
            return self.split.validation
        return self.split.test

    @property
    def left_out(self) -> Interactions:
        """What no list of a user has: what they learned from, or nothing where visits are divided."""
        train = self.split.train
        return train if self.split.visits is None else train.take(np.zeros(len(train), np.bool_))

    def identity(self) -> dict[str, Any]:
        """What two runs must share for one to go on with the other, and processes to share a run."""
        return {
            "tacit": VERSION,
            "recipe": self.recipe,
            "seed": self.seed,
            "parameters": self.parameters,
            "sha256": self.dataset.sha256,
            **({"split": self.split.to_json()} if self.split.kind == "given" else {}),
        }

    def scenario(self, workers: Workers | None = None, partition: Partition = ALONE) -> Scenario:
        """What a simulation of it is made of."""
        learning, time = self.settings.learning, self.settings.time
        train, may, pi = self.split.train, None, None
        if self.disclosing is not None and not self.disclosing.everything:
            may, pi = self.disclosing.allowed(train), self.disclosing.pi
            if self.disclosing.fixed:
                train, may, pi = train.take(self.disclosing.takes_part(train, self.seed)), None, None
        return Scenario(
            model=self.model,
            train=train,
            seed=self.seed,
            sessions=self.sessions,
            epochs=learning.epochs,
            full_seconds=time.full_seconds,
            dtype=learning.storage,
            workers=workers or Workers(),
            init_data=learning.init == "data",
            staggered=time.start == "staggered",
            pi=pi,
            may_leave=may,
            triples=self.triples,
            interactions=len(self.split.train),
            avoid=self.dataset.table if learning.negatives == "paper" else None,
            held=self.split.test.counts,
            partition=partition,
        )

    def horizon(self, period: int) -> int:
        """How long the run lasts, in virtual microseconds."""
        return self.settings.time.horizon(period, self.settings.learning.epochs)
