"""Made-up availability of smartphones that looks like the STUNner trace of Hegedűs et al. (2020).

The trace is not public; its figures are. About 20 % of the nodes are online at any time, more at night. A mean session
takes 81.368 minutes. A phone is online while it charges. It charges in two ways, each with log-normal lengths: many
short top-ups, mostly by day, and now and then a whole night. People keep different hours.

The figures are exact and not tuned. Sessions of kind j begin at the rate r_j(t), a daily rhythm that is chosen.
S_j(u) is the chance that a session lasts longer than u. So the chance to be online is p(t) = sum of r_j * S_j, a
convolution. Its daily mean is the sum of mean(r_j) * mean length. A node that is offline must come online with hazard
(sum of r_j(t)) / (1 - p(t)).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr

from tacit.core.compiled.compiling import kernel
from tacit.core.errors import BadInput
from tacit.core.interactions import Ints
from tacit.core.rng import Stream, normal, uniform
from tacit.simulator.churn.availability import Availability
from tacit.simulator.churn.sessions import SECOND

Floats = npt.NDArray[np.float64]

DAY = 1440  # Minutes; the daily rhythm is a table with one entry a minute.
MINUTE = 60 * SECOND
HABIT_HOURS = 2.5  # Standard deviation between people: time zones, early and late risers.


@dataclass(frozen=True, slots=True)
class Charge:
    """One way to charge a phone."""

    part: float
    """Which part of all sessions are of this kind."""
    mean: float
    """Mean length, in mean lengths of all sessions."""
    sigma: float
    """Standard deviation of the length's logarithm."""
    swing: float
    """How much the rate of beginnings goes up and down over the day, 0 to 1."""
    peak: float
    """The hour of the day at which most begin."""


NIGHT = Charge(part=1 / 9, mean=4, sigma=0.35, swing=1.0, peak=23)
TOP_UP = Charge(part=8 / 9, mean=5 / 8, sigma=0.9, swing=0.3, peak=15)


def generate(
    nodes: int, seed: int, hours: float = 48, share: float = 0.20, mean_session_minutes: float = 81.368
) -> Availability:
    """Sessions that begin between time 0, a midnight, and `hours`, and those under way at time 0.

    `share` is the chance of a node to be online, averaged over whole days. `mean_session_minutes` is the mean
    length of the sessions that begin within `hours`, counted to their own end even where that is later. Those
    under way at time 0 are kept from 0 on and are not part of that mean. More hours or more nodes add to what
    is there and change none of it.

    >>> bool(generate(nodes=1000, seed=0).online(24 * 3600 * SECOND).any())
    True
    """
    if nodes < 1:
        raise BadInput("nodes", got=nodes, allowed="1 or more")
    if not 0 < hours < float("inf"):
        raise BadInput("hours of churn", got=hours, allowed="a number above 0")
    if not 0 < share < 1:
        raise BadInput("share of nodes online", got=share, allowed="a number above 0 and below 1")
    if not 1 <= mean_session_minutes <= 7 * DAY:
        raise BadInput("mean session minutes", got=mean_session_minutes, allowed="from 1 to 10080 (a week)")
    hazard, night = daily_rhythm(share, mean_session_minutes)
    # Every node starts offline long enough before time 0 that time 0 does not remember it.
    warm_up = DAY * np.ceil(20 * mean_session_minutes / share / DAY)
    start_ptr = np.zeros(nodes + 1, np.int64)
    nothing = np.zeros(0, np.int64)
    draw = (seed, hazard, night, mean_session_minutes, -warm_up, hours * 60.0)
    _sessions(*draw, start_ptr, nothing, nothing, False)
    start_ptr = np.cumsum(start_ptr)
    begin, end = np.empty(start_ptr[-1], np.int64), np.empty(start_ptr[-1], np.int64)
    _sessions(*draw, start_ptr, begin, end, True)
    return Availability(start_ptr, begin, end)


def daily_rhythm(share: float, mean_session_minutes: float) -> tuple[Floats, Floats]:
    """By minute of the day: an offline node's hazard to come online, and the chance of a whole night."""
    minute = np.arange(DAY) + 0.5
    # Where nearly all are online, there is little room for a rhythm.
    calm = min(1.0, 0.8 * (1 - share) / share)
    rates, online = [], np.zeros(DAY)
    for kind in (TOP_UP, NIGHT):
        wave = np.cos(2 * np.pi * (minute - 60 * kind.peak) / DAY)
        rate = kind.part * share / mean_session_minutes * (1 + calm * kind.swing * wave)
        lasting = _survival_by_minute_of_day(kind.mean * mean_session_minutes, kind.sigma)
        online += np.fft.irfft(np.fft.rfft(rate) * np.fft.rfft(lasting), DAY)
        rates.append(rate)
    total = rates[0] + rates[1]
    return total / (1 - online), rates[1] / total


def _survival_by_minute_of_day(mean: float, sigma: float) -> Floats:
    """S(u) of a log-normal length, all days on top of each other; the sum is the mean."""
    median = mean * np.exp(-(sigma**2) / 2)
    days = int(np.ceil(median * np.exp(6 * sigma) / DAY))
    age = np.arange(days * DAY) + 0.5
    survival = ndtr(-np.log(age / median) / sigma).reshape(days, DAY).sum(axis=0)
    return np.asarray(survival * (mean / survival.sum()), dtype=np.float64)


# Compiled code knows plain numbers only.
_STREAM = Stream.CHURN
_NIGHT_LENGTH, _NIGHT_SIGMA = NIGHT.mean, NIGHT.sigma
_TOP_UP_LENGTH, _TOP_UP_SIGMA = TOP_UP.mean, TOP_UP.sigma


@kernel
def _sessions(
    seed: int,
    hazard: Floats,
    night: Floats,
    mean: float,
    since: float,
    until: float,
    start_ptr: Ints,
    begin: Ints,
    end: Ints,
    write: bool,
) -> None:
    """Every node's sessions that are under way between 0 and `until`: count them first, then write them."""
    highest = hazard.max()
    for node in range(len(start_ptr) - 1):
        habit = normal(seed, _STREAM, node, 0, 0) * HABIT_HOURS * 60
        place = start_ptr[node] if write else 0
        t, event, free = since, 0, 0
        while True:
            # Lewis and Shedler's thinning: candidates at the highest hazard, kept in proportion to its own.
            event += 1
            t -= np.log(1 - uniform(seed, _STREAM, node, event, 0)) / highest
            if t > until:
                break
            minute = min(int((t + habit) % DAY), DAY - 1)
            if uniform(seed, _STREAM, node, event, 1) * highest >= hazard[minute]:
                continue
            length, sigma = _TOP_UP_LENGTH, _TOP_UP_SIGMA
            if uniform(seed, _STREAM, node, event, 2) < night[minute]:
                length, sigma = _NIGHT_LENGTH, _NIGHT_SIGMA
            spread = normal(seed, _STREAM, node, event, 3)
            session = t
            t += mean * length * np.exp(sigma * spread - sigma * sigma / 2)
            if t <= 0:
                continue
            if write:
                # Rounding to microseconds must neither join two sessions nor make an empty one.
                begin[place] = max(int(session * MINUTE), free)
                end[place] = max(int(t * MINUTE), begin[place] + 1)
                free = end[place] + 1
            place += 1
        if not write:
            start_ptr[node + 1] = place
