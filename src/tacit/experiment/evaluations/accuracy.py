"""Accuracy on test images: of each model alone, or of all of them together by a vote."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from tacit.core.compiled.threads import Workers
from tacit.core.errors import BadInput
from tacit.core.settings import Count, Proportion, UnitInterval, setting
from tacit.data.heldout_stream import stream
from tacit.experiment.evaluations.base import Evaluation, Floats, Mask
from tacit.experiment.experiment import Experiment
from tacit.metrics.accuracy import accuracy
from tacit.models.mlp import CLASSES, Perceptron, classify, probabilities
from tacit.peer_sampling.graphs import k_out
from tacit.protocols.ensemble.simulation import EnsembleSimulation
from tacit.protocols.ensemble.voting import Votes, majority, weighted_majority
from tacit.simulator.simulation import Simulation

WINDOW = 500
"""Images that the moving average along the stream goes over, as in the thesis."""
_POINTS = 200
_SHOWN = 200
"""Test images for which the outputs of averaged parameters and of all models are compared."""


@dataclass(frozen=True, slots=True)
class AccuracySettings:
    """What can be set."""

    vote: Literal["own", "majority", "weighted-majority", "average"] = setting(
        "own",
        "who answers: each model for itself (the mean is shown), all by majority or learned weights, or the mean model "
        "(Dymbe, sections 3.2 to 3.5)",
    )
    beta: Proportion = setting(
        0.05, "share of its weight a wrong voter loses (Dymbe, section 3.4: WMA)", key="vote.beta"
    )
    peers: Count | None = setting(
        None,
        "agents that each agent sends its model to (Dymbe, section 7.1.1). Each then votes on its own, and the mean is "
        "shown. none: everybody has every model",
        key="vote.peers",
        later=True,
    )
    bias: UnitInterval = setting(
        0.0, "share of a digit's test images that come in one segment (Dymbe, section 3.5)", key="stream.bias"
    )
    images: Count | None = setting(
        None, "how many test images to ask about, from the first; none: all", key="stream.images"
    )


class AccuracyEvaluation(Evaluation):
    """What the network as a whole says about the test images, and how right each agent alone is."""

    headline = "accuracy"
    models: ClassVar[tuple[str, ...]] = ("mlp",)
    Settings: ClassVar[type] = AccuracySettings

    def __init__(self, experiment: Experiment, workers: Workers) -> None:
        model, images = experiment.model, experiment.images
        if images is None or not isinstance(model, Perceptron):
            raise BadInput(
                "evaluate", got="accuracy", allowed="rating, or a data set of images with model mlp"
            )
        own: AccuracySettings = self.settings(experiment)
        self._model, self._workers, self._own = model, workers, own
        order = stream(images.test_label, own.bias, experiment.seed)[: own.images]
        self._images, self._labels = images.test[order], images.test_label[order]
        self._seed = experiment.seed
        self._last: tuple[int, Votes] | None = None
        self._right: Mask | None = None
        """Which answers to the stream were right, when last measured; None where every model answers for itself."""

    def measure(self, simulation: Simulation, online: Mask) -> dict[str, float | None]:
        """The accuracy of the answers; which agents are online does not matter."""
        vote, classes = self._own.vote, CLASSES
        if vote == "average":
            said = self._classify(_averaged(simulation), np.zeros(1, np.int32))[0]
        elif vote in ("majority", "weighted-majority") and self._own.peers is not None:
            self._right = None
            return {"accuracy": self._few_peers(self._votes(simulation), self._own.peers)}
        elif vote == "majority":
            said = majority(self._votes(simulation), classes)
        elif vote == "weighted-majority":
            votes = self._votes(simulation)
            said = weighted_majority(votes, self._labels, self._own.beta, classes, np.ones(len(votes)))
        else:
            votes = self._votes(simulation)
            self._right = votes[0] == self._labels if len(votes) == 1 else None
            honest = np.ones(len(votes), np.bool_) if simulation.counted is None else simulation.counted
            each = [accuracy(said, self._labels) for said in votes[honest]]
            return {"accuracy": float(np.mean(np.array(each, np.float64)))}
        self._right = said == self._labels
        return {"accuracy": accuracy(said, self._labels)}

    def _few_peers(self, votes: Votes, peers: int) -> float:
        """The mean accuracy of every agent's own vote: by its own model and those that were sent to it."""
        sent_to = k_out(len(votes), peers, self._seed)
        sender = np.repeat(np.arange(len(votes)), sent_to.shape[1])
        each = []
        for agent in range(len(votes)):
            has = votes[np.append(sender[sent_to.ravel() == agent], agent)]
            if self._own.vote == "majority":
                said = majority(has, CLASSES)
            else:
                said = weighted_majority(has, self._labels, self._own.beta, CLASSES, np.ones(len(has)))
            each.append(accuracy(said, self._labels))
        return float(np.mean(np.array(each, np.float64)))

    def per_user(self, simulation: Simulation) -> dict[str, Floats]:
        """How right each agent's own model is."""
        slots, place = np.unique(simulation.fleet.slot, return_inverse=True)
        if isinstance(simulation, EnsembleSimulation):
            place = np.arange(len(place))
        if len(slots) > 1 and self._own.vote == "average":
            # Nobody asked the single models: that would cost a hundred times the run.
            return {"accuracy": np.full(len(place), np.nan)}
        each = (self._votes(simulation) == self._labels[None, :]).mean(axis=1)
        return {"accuracy": each[place]}

    def more(self, simulation: Simulation) -> dict[str, Any]:
        """How right the answers were along the stream, and how near averaged parameters are to the mean answer."""
        return self._moving_average() | (self._aggregate(simulation) if self._own.vote == "average" else {})

    def _aggregate(self, simulation: Simulation) -> dict[str, Any]:
        """Total variation from the mean output of all models: of the averaged model, and of a single one."""
        models = np.unique(simulation.fleet.slot)
        every = self._outputs(simulation.fleet.slots.dense, models)
        mean = every.mean(axis=0)
        averaged = self._outputs(_averaged(simulation), np.zeros(1, np.int32))[0]
        examples = [
            {"aggregated": averaged[n].tolist(), "mean": mean[n].tolist()} for n in range(min(2, len(mean)))
        ]
        return {
            "aggregate": {
                "apart": float(np.abs(averaged - mean).sum(axis=1).mean() / 2),
                "single_apart": float(np.abs(every - mean).sum(axis=2).mean() / 2),
                "examples": examples,
            }
        }

    def _outputs(self, dense: np.ndarray, models: np.ndarray) -> Floats:
        images = self._images[:_SHOWN]
        out = np.empty((len(models), len(images), CLASSES))
        self._workers.run(
            probabilities, len(models), models.astype(np.int32), dense, self._model.hidden, images, out
        )
        return out

    def _moving_average(self) -> dict[str, Any]:
        if self._right is None or len(self._right) < 2 * WINDOW:
            return {}
        sums = np.concatenate(([0], np.cumsum(self._right)))
        at = np.linspace(WINDOW, len(self._right), _POINTS).astype(np.int64)
        moving = (sums[at] - sums[at - WINDOW]) / WINDOW
        return {"stream": {"image": at.tolist(), "accuracy": moving.tolist()}}

    def _votes(self, simulation: Simulation) -> Votes:
        if self._last is None or self._last[0] != simulation.now:
            fleet = simulation.fleet
            if isinstance(simulation, EnsembleSimulation):
                said = simulation.classify(self._images)
            else:
                said = self._classify(fleet.slots.dense, np.unique(fleet.slot))
            self._last = (simulation.now, said)
        return self._last[1]

    def _classify(self, dense: np.ndarray, models: np.ndarray) -> Votes:
        votes = np.empty((len(models), len(self._labels)), np.int8)
        self._workers.run(
            classify, len(models), models.astype(np.int32), dense, self._model.hidden, self._images, votes
        )
        return votes


def _averaged(simulation: Simulation) -> np.ndarray:
    """One model with the mean of everybody's parameters."""
    fleet = simulation.fleet
    mean = fleet.slots.dense[np.unique(fleet.slot)].mean(axis=0, dtype=np.float64)
    model: np.ndarray = mean[None, :].astype(fleet.slots.dense.dtype)
    return model


evaluation = AccuracyEvaluation
