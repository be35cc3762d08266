"""Warnings: what the end of a run tells about its figures. They are among the result's notes."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from tacit.core.settings import Flat
from tacit.data.dataset import Dataset
from tacit.experiment.evaluations.base import Evaluation, Floats
from tacit.experiment.experiment import Experiment
from tacit.experiment.foreign_parts import is_foreign
from tacit.metrics.higher_is_better import lower_is_better
from tacit.models.base import Model
from tacit.simulator.fleet import as_numbers
from tacit.simulator.simulation import Simulation

RAN_AWAY = "learning ran away"
"""How the note begins that says so."""
MANY_TIES = 0.01
"""If ties decided a larger share of ranks than this, a note tells the reader."""
_FLAT = 0.01
"""If predictions vary by a smaller share of what ratings vary by, a note tells the reader."""


def warnings(
    x: Experiment, simulation: Simulation, evaluation: Evaluation, value: float | None, each: Floats | None
) -> list[str]:
    """About a run that has ended with this value of its headline metric, and with these values for single users."""
    notes = []
    if simulation.node_rounds == 0:
        notes.append("nobody learned anything before the end: try more hours or rounds")
    away, models = diverged(simulation)
    if not away and value is not None and not math.isfinite(value):
        notes.append(
            f"{evaluation.headline} is not a number, though all numbers of the models are finite: "
            f"look at how {x.model.name} scores"
        )
    elif away:
        where = "" if away == models else f" in {away:,} of {models:,} models"
        notes.append(f"{RAN_AWAY}{where}: the models' numbers are not finite; {_what_to_try(x)}")
    elif value is not None:
        notes += _no_better(x, evaluation, value, each)
        notes += _flat(x, evaluation, simulation)
    ties = evaluation.ties(simulation)
    if ties is not None and ties > MANY_TIES:
        notes.append(
            f"ties decided {100 * ties:.1f} % of the ranks: items with the same score stand in random order"
        )
    return notes


def no_numbers(metrics: Mapping[str, float | None], headline: str) -> list[str]:
    """Metrics that came out as no number beside a headline that is one."""
    wrong = [name for name, value in metrics.items() if value is not None and not math.isfinite(value)]
    if headline in wrong:
        return []
    return [f"{name} is no number: look at how it is computed" for name in wrong]


def diverged(simulation: Simulation) -> tuple[int, int]:
    """How many models have numbers that are not finite, of how many."""
    fleet, partition = simulation.fleet, simulation.partition
    own = partition.own(len(fleet.slot))
    here = slice(own.start, own.stop)
    slots, used = fleet.slots, set(fleet.slot[here].tolist())
    # One at a time: a mask of all would take as much memory as the models.
    bad = {
        n
        for n in used
        if not (np.isfinite(as_numbers(slots.rows[n])).all() and np.isfinite(slots.dense[n]).all())
    }
    if fleet.private.size:
        bad |= set(fleet.slot[here][~np.isfinite(fleet.private[here]).all(axis=1)].tolist())
    if (fleet.slot == fleet.slot[0]).all():
        return int(partition.any(bool(bad))), 1
    return partition.total(len(bad)), partition.total(len(used))


def constant_ratings(dataset: Dataset, model: Model, flat: Flat) -> list[str]:
    """A model of ratings, or a measure of them, has nothing to learn where all ratings are the same."""
    values = dataset.table.value
    if not len(values) or values.min() != values.max():
        return []
    if flat["evaluate"] != "rating" and not hasattr(model, "scale"):
        return []
    return [
        f"all ratings are {float(values[0]):g}: {model.name} is a model of ratings and has nothing to learn. "
        "Errors of predictions say nothing. Use a recipe for implicit data, such as tacit/best"
    ]


def _no_better(x: Experiment, evaluation: Evaluation, value: float, each: Floats | None) -> list[str]:
    """Whether one who learned nothing would have done as well."""
    guess = evaluation.guess()
    if guess is None or x.parameters.get("baseline") == "random":
        return []
    words, level = guess
    errors = lower_is_better(evaluation.headline)
    if errors and constant_ratings(x.dataset, x.model, x.parameters):
        return []
    known = each[np.isfinite(each)] if each is not None else np.zeros(0)
    error = float(known.std() / math.sqrt(len(known))) if len(known) else 0.0
    gain = level - value if errors else value - level
    if gain > 2 * error:
        return []
    found = f"{evaluation.headline} {value:.4g}"
    if gain <= 0:
        return [f"{found} is no better than {words}, which has {level:.4g}"]
    return [f"{found} is not clearly better than {words}, which has {level:.4g} (standard error {error:.2g})"]


def _flat(x: Experiment, evaluation: Evaluation, simulation: Simulation) -> list[str]:
    """Whether a model of ratings predicts the same for everything."""
    spread = evaluation.spread(simulation)
    if spread is None or not spread[0] < _FLAT * spread[1]:
        return []
    advice = f"look at what {x.parameters.get('baseline', x.model.name)} learns and how it scores"
    if is_foreign(x.model) and not simulation.fleet.slots.ages.any():
        advice = f"no row has an age, so none is used: learn of {x.model.name} must add to node.ages"
    ours, theirs = (f"{one:.2g}" for one in spread)
    return [
        f"predictions hardly vary: their standard deviation is {ours}, that of ratings {theirs}; {advice}"
    ]


def _what_to_try(x: Experiment) -> str:
    """Advice by the settings that the model has."""
    own = [key for key in x.parameters if key.startswith("model.")]
    if is_foreign(x.model):
        settings = f" or try other values of {', '.join(own)}" if own else ""
        return f"look for a division by zero in learn of {x.model.name}{settings}"
    steps = [key for key in ("model.eta", "model.lr") if key in own]
    return f"try smaller steps ({', '.join(steps)})" if steps else "try other settings of the model"
