"""Rating prediction: RMSE and MAE on the held-out ratings."""

from __future__ import annotations

import numpy as np

from tacit.core.compiled.threads import Workers
from tacit.experiment.evaluations.base import Evaluation, Floats, Mask
from tacit.experiment.experiment import Experiment
from tacit.metrics.mae import mae, mae_per_user
from tacit.metrics.rmse import rmse, rmse_per_user
from tacit.simulator.scoring import prediction_errors
from tacit.simulator.simulation import Simulation


class RatingEvaluation(Evaluation):
    """The error of predicted ratings, each user's by the model of their own node."""

    headline = "rmse"

    def __init__(self, experiment: Experiment, workers: Workers) -> None:
        self._x, self._workers = experiment, workers
        self._test = experiment.held_out

    def measure(self, simulation: Simulation, online: Mask) -> dict[str, float | None]:
        """RMSE and MAE over the test ratings of the online users together."""
        errors = self._errors(simulation)[np.repeat(online, self._test.counts)]
        return {"rmse": rmse(errors), "mae": mae(errors)}

    def per_user(self, simulation: Simulation) -> dict[str, Floats]:
        """RMSE and MAE of each user's own test ratings."""
        errors, start = self._errors(simulation), self._test.start
        return {"rmse": rmse_per_user(errors, start), "mae": mae_per_user(errors, start)}

    def guess(self) -> tuple[str, float] | None:
        """RMSE of the mean training rating."""
        train = self._x.split.train.value
        if not len(train) or not len(self._test):
            return None
        off = float(np.mean(train, dtype=np.float64)) - self._test.value.astype(np.float64)
        return "always predicting the mean training rating", float(np.sqrt(np.mean(off**2)))

    def spread(self, simulation: Simulation) -> tuple[float, float] | None:
        """Of predicted and of held-out ratings."""
        errors, ratings = self._errors(simulation), self._test.value
        return (float((errors + ratings).std()), float(ratings.std())) if len(errors) else None

    def _errors(self, simulation: Simulation) -> Floats:
        x = self._x
        scorer = simulation.scorer
        if scorer is not None:
            return scorer.some(self._test.start, self._test.item) - self._test.value
        lazy = x.settings.learning.lazy
        return prediction_errors(
            x.model, simulation.fleet, self._test, x.scale, lazy, self._workers, simulation.partition
        )


evaluation = RatingEvaluation
