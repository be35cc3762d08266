"""When nodes are online, in a form compiled code can ask. Times are whole microseconds of virtual time."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tacit.core.compiled.compiling import kernel
from tacit.core.interactions import Ints

SECOND = 1_000_000


class Sessions(NamedTuple):
    """Node u is online in [begin[n], end[n]) for n in first[u] .. first[u+1], sorted; no sessions at all: always."""

    first: Ints
    begin: Ints
    end: Ints


def always() -> Sessions:
    """Everybody is online all the time."""
    none = np.zeros(0, np.int64)
    return Sessions(none, none, none)


@kernel
def online_through(sessions: Sessions, node: int, start: int, until: int) -> bool:
    """Whether a node stays online from `start` through `until`: one session covers both."""
    if len(sessions.first) == 0:
        return True
    low = sessions.first[node]
    high = sessions.first[node + 1]
    while low < high:
        middle = (low + high) // 2
        if sessions.begin[middle] <= start:
            low = middle + 1
        else:
            high = middle
    last = low - 1
    return last >= sessions.first[node] and until < sessions.end[last]  # type: ignore[no-any-return]


@kernel
def online_at(sessions: Sessions, node: int, now: int) -> bool:
    """Whether a node is online at an instant."""
    return online_through(sessions, node, now, now)


@kernel
def through_mask(sessions: Sessions, nodes: int, start: int, until: int) -> npt.NDArray[np.bool_]:
    """`online_through` for every node."""
    mask = np.ones(nodes, np.bool_)
    for node in range(nodes):
        mask[node] = online_through(sessions, node, start, until)
    return mask


def online_mask(sessions: Sessions, nodes: int, now: int) -> npt.NDArray[np.bool_]:
    """`online_at` for every node."""
    return through_mask(sessions, nodes, now, now)
