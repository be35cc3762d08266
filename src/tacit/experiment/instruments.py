"""Instruments: the size of a prediction's parts and the biases of single items, recorded while a run learns.

Switched on with `instruments=true` or `instruments.items=ID,ID,...`; the values are in the curve beside the metrics.
With `instruments.known=true` an item's bias counts only at nodes that have heard of the item.
"""

from __future__ import annotations

import numpy as np

from tacit.core.errors import BadInput
from tacit.experiment.experiment import Experiment
from tacit.simulator.fleet import as_numbers
from tacit.simulator.simulation import Simulation

PART, MEAN, SPREAD = "part_", "bias_mean:", "bias_spread:"
"""How the columns begin; an item's id follows the last two."""
COLUMNS = (PART, MEAN, SPREAD)


class Instruments:
    """Looks at the models of a simulation, and changes nothing."""

    def __init__(self, experiment: Experiment) -> None:
        self._x = experiment
        own = experiment.settings.evaluation
        chosen = [text.strip() for text in (own.watched or "").split(",") if text.strip()]
        self._on = own.instruments or bool(chosen)
        ids = experiment.dataset.item_ids.tolist() if chosen else []
        missing = [item for item in chosen if item not in ids]
        if missing:
            raise BadInput(
                "instruments.items",
                got=", ".join(missing),
                allowed="ids of items",
                where=experiment.dataset.name,
            )
        self._known = own.watched_known
        self._items = {item: ids.index(item) for item in chosen}
        self._parts = getattr(experiment.model, "parts", None)
        if self._on and self._parts is None:
            raise BadInput(
                "instruments", got="true", allowed=f"false, because {experiment.model.name} has no parts"
            )

    def look(self, simulation: Simulation) -> dict[str, float]:
        """Mean absolute size of each part over the test entries; mean and spread over nodes of chosen items' biases."""
        if not self._on or self._parts is None:
            return {}
        fleet, test = simulation.fleet, self._x.split.test
        user = test.user
        parts = self._parts(as_numbers(fleet.slots.rows[fleet.slot[user], test.item]), fleet.private[user])
        seen = {f"{PART}{name}": float(np.mean(np.abs(values))) for name, values in parts.items()}
        for item, position in self._items.items():
            biases = as_numbers(fleet.slots.rows[fleet.slot, position, -1]).astype(np.float64)
            known = fleet.slots.ages[fleet.slot, position] > 0
            if self._known and known.any():  # while nobody has heard of it, all are where they started
                biases = biases[known]
            seen[f"{MEAN}{item}"] = float(biases.mean())
            seen[f"{SPREAD}{item}"] = float(biases.std())
        return seen
