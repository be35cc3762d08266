"""When a run is measured."""

from __future__ import annotations

from tacit.experiment.protocols.base import Parameters, full_seconds
from tacit.hosts.sim.sessions import SECOND
from tacit.hosts.sim.simulation import ticks

_HOUR = 3600 * SECOND


def evaluation_points(horizon: int, period: int, parameters: Parameters, count: int = 100) -> list[int]:
    """When to measure: about `count` times, at whole transfers of a model, and at every whole hour.

    With `rounds` given, or where a round is an epoch: at whole rounds instead. The end is always one of them.
    """
    by_rounds = parameters["rounds"] is not None or parameters["hours"] is None
    unit = period if by_rounds else ticks(full_seconds(parameters))
    step = unit * max(1, -(-horizon // (unit * count)))
    points = set(range(step, horizon + 1, step)) | {horizon}
    if not by_rounds and horizon <= 2 * count * _HOUR:
        points |= set(range(_HOUR, horizon + 1, _HOUR))
    return sorted(points)
