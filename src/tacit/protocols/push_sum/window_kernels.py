"""What is in flight between nodes that exchange sums, and what of it arrives in a window."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tacit.core.compiled.compiling import kernel
from tacit.core.interactions import Ints, Positions


class Flights(NamedTuple):
    """Each node's last transmission, one entry per node."""

    arrive: Ints
    """When it arrives; -1: nothing is on its way."""
    receiver: npt.NDArray[np.int32]
    fresh: npt.NDArray[np.bool_]
    """Whether the receiver has not had it before."""
    delivered: npt.NDArray[np.bool_]
    """Whether the share that waits for an acknowledgement has arrived, or will, even so."""
    acknowledged: npt.NDArray[np.bool_]
    broken: npt.NDArray[np.bool_]
    """Whether one of the two went away during the transfer."""


class Questions(NamedTuple):
    """Each node's last question to one of its partners, one entry per node."""

    arrive: Ints
    """When it arrives; -1: nothing is on its way."""
    receiver: npt.NDArray[np.int32]
    said: Ints
    heard: npt.NDArray[np.bool_]
    """Whether the network lets the answer through."""
    answer: Ints
    """-1: none."""


class Inbox(NamedTuple):
    """What arrives in a window: node u gets entries start[u] .. start[u+1], in order."""

    start: Positions
    sender: Positions
    time: Ints


class Clocks(NamedTuple):
    """When nodes wake next, how often, and how long a transfer takes."""

    due: Ints
    period: Ints
    transfer: int
    loss: float


class Sent(NamedTuple):
    """Running totals a node, and what a message costs."""

    updates: Ints
    rows: Ints
    rows_rated: Ints
    bytes: Ints
    received: Ints
    rest: int
    """Bytes of a message beside its rows."""


@kernel
def collect(until: int, arrive: Ints, receiver: npt.NDArray[np.int32]) -> Inbox:
    """The transmissions that arrive up to `until`, by receiver, time and sender; they are in flight no more."""
    nodes = len(arrive)
    start = np.zeros(nodes + 1, np.int32)
    for v in range(nodes):
        if 0 <= arrive[v] <= until:
            start[receiver[v] + 1] += 1
    for u in range(nodes):
        start[u + 1] += start[u]
    sender = np.empty(start[nodes], np.int32)
    time = np.empty(start[nodes], np.int64)
    end = start[:nodes].copy()
    for v in range(nodes):
        if 0 <= arrive[v] <= until:
            u = receiver[v]
            n = end[u]
            while n > start[u] and time[n - 1] > arrive[v]:
                time[n] = time[n - 1]
                sender[n] = sender[n - 1]
                n -= 1
            time[n] = arrive[v]
            sender[n] = v
            end[u] += 1
            arrive[v] = -1
    return Inbox(start, sender, time)
