"""Metrics at a client: its people's held-out part, ranked or predicted on the spot. Only sums are reported.

`people` and `ratings` say how many the sums are over; the server divides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from tacit.core.compiled.threads import Workers
from tacit.core.node_state import NodeState
from tacit.experiment.experiment import Experiment
from tacit.experiment.recommend import Suggestion, recommend
from tacit.experiment.run_settings import evaluation_named
from tacit.interop.flower.federation import Federation
from tacit.interop.flower.own_data import OwnData
from tacit.interop.flower.rules.base import Person
from tacit.simulator.churn.sessions import always
from tacit.simulator.fleet import Fleet, Slots
from tacit.simulator.simulation import Simulation

PEOPLE, RATINGS = "people", "ratings"


class Here(Simulation):
    """The people of one client with the server's model, as evaluations want to see them."""

    def __init__(self, server: NodeState, private: Sequence[Person | None], size: int) -> None:
        rows = np.zeros((len(private), size), server.rows.dtype)
        for place, person in zip(rows, private, strict=True):
            if person is not None:
                place[:] = person.private
        clock = np.array([server.clock])
        slots = Slots(server.rows[None], server.ages[None], server.dense[None], clock)
        self.fleet, self.now = Fleet(slots, np.zeros(len(private), np.int32), rows), int(server.clock)

    def advance(self, until: int) -> None:
        """Nothing moves here."""


def metric_sums(
    federation: Federation, own: OwnData, people: Sequence[Person | None], server: NodeState
) -> dict[str, float]:
    """Every metric of the recipe's evaluation, summed over the people (ratings) that have a held-out part."""
    kind = str(federation.parameters["evaluate"])
    held = own.split.test
    if not len(held):
        return {}
    x = Experiment(
        recipe=federation.recipe,
        seed=federation.seed,
        parameters=federation.parameters,
        settings=federation.settings,
        protocol=federation.protocol,
        evaluation=evaluation_named(kind),
        dataset=own.dataset,
        split=own.split,
        scale=federation.scale,
        model=federation.model,
        sessions=always(),
    )
    here = Here(server, people, federation.model.private_size)
    evaluation = x.evaluation(x, Workers(1))
    known = np.array([person is not None for person in people])
    if kind == "rating":
        found = evaluation.measure(here, known)
        count = int(held.counts[known].sum())
        if not count or found["rmse"] is None or found["mae"] is None:
            return {}
        return {RATINGS: count, "rmse": found["rmse"] ** 2 * count, "mae": found["mae"] * count}
    counted = known & (held.counts > 0)
    each = evaluation.per_user(here)
    return {PEOPLE: int(counted.sum()), **{name: float(one[counted].sum()) for name, one in each.items()}}


def mean_metrics(reported: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """The metrics of a federation from what its clients report."""
    total: dict[str, float] = {}
    for sums in reported:
        for name, value in sums.items():
            total[name] = total.get(name, 0.0) + value
    count = total.pop(RATINGS, 0.0) or total.pop(PEOPLE, 0.0)
    if not count:
        return {}
    found = {name: value / count for name, value in total.items()}
    return {name: value**0.5 if name == "rmse" else value for name, value in found.items()}


def best_items(
    federation: Federation, own: OwnData, at: int, person: Person, server: NodeState
) -> list[Suggestion]:
    """Ten items for a person of this client, who does not have them."""
    state = NodeState(server.rows, server.ages, server.dense, server.clock, person.private)
    dataset, table = own.dataset, own.dataset.table
    return recommend(federation.model, state, table, at, dataset.items, seed=federation.seed)
