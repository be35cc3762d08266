"""Full ranking of the catalogue: the K best items of every user, without those they trained on.

Where visits are divided (`split=random-visits`), lists may have known places, too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np
import numpy.typing as npt
from msgspec import Meta

from tacit.core.compiled.threads import Workers
from tacit.core.errors import BadInput
from tacit.core.interactions import Ints
from tacit.core.registry import KINDS, broken, find, offered
from tacit.core.settings import Count, setting
from tacit.core.where import is_ours, where_defined, where_raised
from tacit.data.categories import item_categories
from tacit.experiment.evaluations.base import Evaluation, Floats, Mask
from tacit.experiment.experiment import Experiment
from tacit.experiment.kinds_of_lists import ONE_PER_USER
from tacit.metrics.category_bias import bias, bias_disparity
from tacit.metrics.evenness import evenness
from tacit.metrics.item_coverage import item_coverage, times_recommended
from tacit.metrics.top_k import Hits, Lists, TopLists, hits_of, share_of_ties, top_lists
from tacit.simulator.scoring import scorer_of
from tacit.simulator.simulation import Simulation

RankingMetric = Annotated[str, Meta(description="a metric's name or file")]


@dataclass(frozen=True, slots=True)
class FullSettings:
    """What can be set."""

    k: Count = setting(
        10, "how many items are recommended to each user (N of P@N: FPL, section 4.4)", key="evaluate.k"
    )
    bias: bool = setting(
        False, "also bias and bias disparity of each item category (FPL, section 4.4)", key="evaluate.bias"
    )
    metric: RankingMetric | None = setting(
        None, "a further ranking metric, in a file: ./mine.py", key="evaluate.metric", later=True
    )


def rankings(further: str | None) -> dict[str, Callable[[Hits, Ints], Floats]]:
    """Every ranking metric by its name, and one more."""
    found = offered(*KINDS["evaluate.metric"])
    if further is not None:
        one = find(*KINDS["evaluate.metric"], further, "evaluate.metric")
        found[getattr(one, "name", one.__name__)] = one
    return found


class FullEvaluation(Evaluation):
    """Precision, recall and their kin at K, each user by the model of their own node; coverage and evenness of all."""

    Settings: ClassVar[type] = FullSettings
    points: ClassVar[int] = 50

    def __init__(self, experiment: Experiment, workers: Workers) -> None:
        self._x, self._workers = experiment, workers
        own: FullSettings = self.settings(experiment)
        self._k, self._bias = own.k, own.bias
        self._held = experiment.held_out
        self._measured = self._held.counts > 0
        self._rankings = rankings(own.metric)
        self._last: tuple[Simulation, int, TopLists] | None = None
        self.headline = f"precision@{self._k}"
        self.whole = (f"item_coverage@{self._k}", f"evenness@{self._k}")

    @classmethod
    def check(cls, experiment: Experiment) -> None:
        """K items must exist; bias needs categories."""
        own: FullSettings = cls.settings(experiment)
        k, items = own.k, experiment.dataset.table.items
        if k > items:
            raise BadInput(
                "evaluate.k",
                got=k,
                allowed=f"at most {items}, the size of the catalogue",
                where=experiment.dataset.name,
            )
        if own.bias:
            item_categories(experiment.dataset)
        left_out = broken(*KINDS["evaluate.metric"])
        experiment.notes += [
            f"metric {name} is left out, for it is broken: {why}" for name, why in left_out.items()
        ]

    def measure(self, simulation: Simulation, online: Mask) -> dict[str, float | None]:
        """The mean over the online users with a test part; users without one are left out."""
        k, mask = self._k, online & self._measured
        values: dict[str, float | None] = {
            name: float(each[mask].mean()) if mask.any() else None
            for name, each in self.per_user(simulation).items()
        }
        times = times_recommended(self._lists(simulation)[mask], self._held.items)
        values[f"item_coverage@{k}"] = item_coverage(times)
        values[f"evenness@{k}"] = evenness(times)
        return values

    def per_user(self, simulation: Simulation) -> dict[str, Floats]:
        """Every metric that a single user has."""
        hits = hits_of(self._lists(simulation), self._held.start, self._held.item)
        counts = self._held.counts
        return {f"{name}@{self._k}": _one_each(of, hits, counts) for name, of in self._rankings.items()}

    def per_item(self, simulation: Simulation) -> dict[str, npt.NDArray[Any]]:
        """How many training interactions each item has, and how many users it is recommended to."""
        train = np.bincount(self._x.split.train.item, minlength=self._held.items)
        return {"train": train, f"recommended@{self._k}": self._times(simulation)}

    def more(self, simulation: Simulation) -> dict[str, Any]:
        """Bias of each category in training and in what is recommended, and the shift between them."""
        if not self._bias:
            return {}
        names, label = item_categories(self._x.dataset)
        train = bias(np.bincount(self._x.split.train.item, minlength=self._held.items), label, len(names))
        recommended = bias(self._times(simulation), label, len(names))
        shift = bias_disparity(recommended, train)
        columns = zip(names, train.tolist(), recommended.tolist(), shift.tolist(), strict=True)
        return {
            f"bias@{self._k}": {
                name: {"train": t, "recommended": r, "disparity": None if np.isnan(d) else d}
                for name, t, r, d in columns
            }
        }

    def lists(self) -> dict[str, str]:
        """One list per user."""
        return {"list": ONE_PER_USER}

    def guess(self) -> tuple[str, float] | None:
        """Of precision: the share of held-out items among all that could be recommended."""
        free = self._held.items - self._x.left_out.counts
        shares = (self._held.counts / np.maximum(free, 1))[self._measured]
        return ("ranking at random", float(shares.mean())) if len(shares) else None

    def ties(self, simulation: Simulation) -> float:
        """The share of list places that ties decided."""
        found = self._top(simulation)
        return share_of_ties(found.tied, found.lists)

    def _times(self, simulation: Simulation) -> npt.NDArray[np.int64]:
        return times_recommended(self._lists(simulation), self._held.items)

    def _lists(self, simulation: Simulation) -> Lists:
        return self._top(simulation).lists

    def _top(self, simulation: Simulation) -> TopLists:
        """Everybody's list now: one ranking serves all metrics of an instant."""
        if self._last is None or self._last[0] is not simulation or self._last[1] != simulation.now:
            x = self._x
            scorer = scorer_of(x.model, simulation, x.settings.learning.lazy, self._workers)
            # Each rank ranks for the users whose models it has.
            own, here = simulation.partition.own(len(self._measured)), np.zeros_like(self._measured)
            here[own.start : own.stop] = self._measured[own.start : own.stop]
            found = top_lists(scorer, x.left_out, here, self._k, seed=x.seed, workers=self._workers)
            for array in found:
                simulation.partition.complete(array)
            self._last = simulation, simulation.now, found
        return self._last[2]


def _one_each(metric: Callable[[Hits, Ints], Floats], hits: Hits, counts: Ints) -> Floats:
    try:
        found = np.asarray(metric(hits, counts))
    except Exception as error:
        if is_ours(metric):
            raise
        what = f"metric {metric.__name__}: {type(error).__name__}: {error}"
        raise BadInput(what, where=where_raised(error) or where_defined(metric)) from error
    if found.shape != counts.shape or found.dtype.kind not in "biuf":
        got, allowed = (
            f"an array of shape {found.shape} of {found.dtype}",
            f"one value for each of {len(counts)} users",
        )
        raise BadInput(f"metric {metric.__name__}", got=got, allowed=allowed, where=where_defined(metric))
    if np.isinf(found[counts > 0]).any():
        what, allowed = f"metric {metric.__name__}", "a finite number for each user with held-out items"
        raise BadInput(what, got="infinity", allowed=allowed, where=where_defined(metric))
    return found


evaluation = FullEvaluation
