"""When a node signs a new version of its own list: at once for whatever is taken back, and for a few new titles.

Many new titles are put together, so an evening of ratings is a few versions and not one for each rating.
"""

from __future__ import annotations

import sys

from tacit.node.circle.circle import Circle
from tacit.node.circle.rates import Rate
from tacit.node.receive_limits import ADD_BURST, ADD_EVERY

_NEVER = sys.maxsize


class Publisher:
    """Signs the list of one node. `now` is microseconds of a clock that never jumps."""

    def __init__(self, circle: Circle) -> None:
        self._circle, self._additions, self._hold = circle, Rate(ADD_BURST, ADD_EVERY), _NEVER
        self.share = 0.0
        """The part of all likes that is shared."""

    def is_due(self, now: int) -> bool:
        """Whether it is the turn of new titles that had to wait."""
        return now >= self._hold

    def publish(self, addresses: tuple[str, ...], now: int) -> bool:
        """Sign a new version where there is something new; whether there was."""
        self._hold = _NEVER
        if self._circle.replica.state is None:
            return False
        shared = self._circle.shared()
        self.share = len(shared.items) / max(1, shared.likes)
        asked: list[bool] = []
        signed = self._circle.publish(addresses, lambda: self._may_add(asked, now))
        if signed and any(asked):
            self._additions.spend("", now)  # only now: a full disk does not use it up
        return signed

    def _may_add(self, asked: list[bool], now: int) -> bool:
        """Whether new titles may be in the list that is signed now; if not, they are in a later one."""
        asked.append(self._additions.left("", now) >= 1)
        if not asked[-1]:
            self._hold = now + self._additions.wait("", now)
        return asked[-1]
