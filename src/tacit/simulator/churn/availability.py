"""Which nodes are online when: each node's sessions over virtual time.

A session holds its begin and not its end, `[begin, end)`, in whole microseconds since the start of the run.
Traces of real devices are read by `trace`, made-up ones come from `generator`.

    online_at(churn.sessions, node, t)             # inside compiled code, or outside
    Availability.always(943).online(0).all()       # True
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tacit.core.interactions import Ints
from tacit.simulator.churn.sessions import Sessions

FOREVER = 2**52
"""An end that no run reaches (142 years) and that still is exact as a float."""


@dataclass(frozen=True, slots=True, eq=False)
class Availability:
    """The sessions of all nodes; a node's own are sorted, disjoint, and apart from each other."""

    start_ptr: Ints
    """Where each node's sessions begin in the other two; N + 1 long."""
    begin: Ints
    end: Ints
    notes: tuple[str, ...] = ()
    """Sentences a reader of the result must know."""

    @property
    def sessions(self) -> Sessions:
        """The same, as compiled code asks for it."""
        return Sessions(self.start_ptr, self.begin, self.end)

    @property
    def nodes(self) -> int:
        """N, those that are never online included."""
        return len(self.start_ptr) - 1

    @property
    def node(self) -> Ints:
        """The node of every session."""
        return np.repeat(np.arange(self.nodes, dtype=np.int64), np.diff(self.start_ptr))

    def online(self, t: int) -> npt.NDArray[np.bool_]:
        """The nodes that are online at t."""
        now = np.concatenate(([0], np.cumsum((self.begin <= t) & (t < self.end))))
        return np.diff(now[self.start_ptr]) > 0

    @classmethod
    def always(cls, nodes: int) -> Availability:
        """No churn: everyone is online all the time."""
        begin = np.zeros(nodes, np.int64)
        return cls(np.arange(nodes + 1, dtype=np.int64), begin, np.full(nodes, FOREVER, np.int64))

    @classmethod
    def from_sessions(
        cls,
        node: npt.ArrayLike,
        begin: npt.ArrayLike,
        end: npt.ArrayLike,
        *,
        nodes: int,
        notes: tuple[str, ...] = (),
    ) -> Availability:
        """Sessions in any order. Where one ends at the very moment the next begins, the two become one.

        >>> churn = Availability.from_sessions([1, 1], [20, 10], [30, 20], nodes=2)
        >>> churn.begin, churn.end
        (array([10]), array([30]))
        """
        n, b, e = (np.asarray(column, dtype=np.int64) for column in (node, begin, end))
        place = np.lexsort((b, n))
        n, b, e = n[place], b[place], e[place]
        if np.any(e <= b) or np.any(n < 0) or np.any(n >= nodes):
            raise ValueError("a session ends after its begin and belongs to a node from 0 to nodes - 1")
        same = np.diff(n) == 0
        if np.any(same & (b[1:] < e[:-1])):
            raise ValueError("two sessions of a node overlap")
        touches = same & (b[1:] == e[:-1])
        first, last = np.ones(len(n), bool), np.ones(len(n), bool)
        first[1:], last[:-1] = ~touches, ~touches
        start_ptr = np.concatenate(([0], np.cumsum(np.bincount(n[first], minlength=nodes))))
        return cls(start_ptr.astype(np.int64), b[first], e[last], notes)
