"""How a simulation starts: random or from the data, the same for every protocol."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from tacit.core.compiled.compiling import kernel
from tacit.core.message.half_precision import narrow
from tacit.core.node_state import Floats
from tacit.models.training import make_tell_starts, start_biases
from tacit.privacy.secure_aggregation import mask, unmask
from tacit.simulator.fleet import Local, Slots, local
from tacit.simulator.simulation import Scenario
from tacit.simulator.user_groups import UserGroups


def initialize(
    scenario: Scenario, slots: Slots, private: Floats, members: UserGroups, *, secure: bool = False
) -> None:
    """Fill the models of the agents that are here, in order of slots, and all users' private parts.

    With `init=data` biases start from the users' own ratings. An agent that holds several users starts at the mean over
    those who rated an item. With `secure` it sees sums only, never what one user told.
    """
    kernels, hyper, run = scenario.model.kernels, scenario.model.hyper(), scenario.workers.run
    # A server's model is on every rank.
    own = scenario.partition.own(members.agents) if members.agents > 1 else range(1)
    fill = _fill_halves if slots.rows.dtype == np.uint16 else _fill_rows
    run(fill(kernels.init_rows), len(own), own.start, scenario.seed, slots, hyper)
    run(_fill_private(kernels.init_private), len(private), scenario.seed, private, hyper)
    if scenario.init_data and kernels.init_data is not None:
        start = _start_from_data(make_tell_starts(kernels.init_data))
        data = local(scenario.train)
        run(start, len(own), own.start, scenario.seed, slots, private, members, data, secure, hyper)


@cache
def _fill_rows(init_rows: Callable[..., None]) -> Callable[..., None]:
    @kernel
    def fill_rows(low: int, high: int, first: int, seed: int, slots: Slots, hyper: Any) -> None:
        """Slots low .. high, each from the randomness of its agent; slot 0 is agent first's."""
        for at in range(low, high):
            init_rows(seed, first + at, slots.rows[at], slots.dense[at], hyper)

    return fill_rows


@cache
def _fill_halves(init_rows: Callable[..., None]) -> Callable[..., None]:
    @kernel
    def fill_halves(low: int, high: int, first: int, seed: int, slots: Slots, hyper: Any) -> None:
        """As `fill_rows`, rounded to half precision."""
        rows = np.empty(slots.rows.shape[1:], np.float32)
        for at in range(low, high):
            init_rows(seed, first + at, rows, slots.dense[at], hyper)
            narrow(rows.reshape(-1), slots.rows[at].reshape(-1))

    return fill_halves


@cache
def _fill_private(init_private: Callable[..., None]) -> Callable[..., None]:
    @kernel
    def fill_private(low: int, high: int, seed: int, private: Floats, hyper: Any) -> None:
        """Users low .. high, each from their own randomness."""
        for user in range(low, high):
            init_private(seed, user, private[user], hyper)

    return fill_private


@cache
def _start_from_data(tell_starts: Callable[..., None]) -> Callable[..., None]:
    @kernel
    def start_from_data(
        low: int,
        high: int,
        first_agent: int,
        seed: int,
        slots: Slots,
        private: Floats,
        members: UserGroups,
        data: Local,
        secure: bool,
        hyper: Any,
    ) -> None:
        """Slots low .. high start from their users' data; `secure`: what users tell is masked, only sums are seen."""
        items = slots.rows.shape[1]
        sums = np.empty(items)
        counts = np.empty(items, np.int64)
        masked = np.empty((2, items), np.uint64)
        total = np.empty((2, items), np.uint64)
        for at in range(low, high):
            agent = first_agent + at
            first = members.first[agent]
            size = members.first[agent + 1] - first
            hidden = secure and size > 1
            sums[:] = 0
            counts[:] = 0
            total[:] = 0
            for place in range(size):
                u = members.user[first + place]
                own = slice(data.start[u], data.start[u + 1])
                if hidden:
                    sums[:] = 0
                    counts[:] = 0
                tell_starts(private[u], data.item[own], data.value[own], sums, counts, hyper)
                if hidden:
                    mask(seed, agent, place, size, sums, counts, masked)
                    total += masked
            if hidden:
                unmask(total, sums, counts)
            start_biases(slots.rows[at], slots.ages[at], sums, counts)

    return start_from_data
