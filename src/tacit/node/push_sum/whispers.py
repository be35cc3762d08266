"""How an item gets into the catalogue so that a passive listener is unsure who brought it.

Sums can only be about items that all nodes know. The first node to name an item has a rating of it. So a new key first
takes a random walk from node to node. Each node passes it on to one other with a chance of `ON`, or else sends
it to everybody. So most whispered keys are not the sender's own: of the keys in one message, one plus at most a quarter
are. A key that does not come back after a while was lost, and starts again. A peer that keeps asking hears nearly all
keys of a node.
"""

from __future__ import annotations

from collections.abc import Iterable

from tacit.core.rng import Stream, permutation, uniform
from tacit.node.catalogue.item_keys import row_id
from tacit.node.receive_limits import MAX_WHISPERS

_STREAM = Stream.LIVE_WHISPERS
ON = 0.8
_QUEUE = 1_000
_AGAIN = 24
"""Messages until an own key that did not come back is whispered again."""


class Whispers:
    """Keys that are not public yet: those of others, to be passed on, and the node's own."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._others: dict[str, None] = {}
        self._last: dict[str, int] = {}
        self._taken = self._given = 0

    def take(self, keys: Iterable[str]) -> list[str]:
        """Somebody whispered these; those that are to be told to everybody now."""
        public = []
        for key in keys:
            self._taken += 1
            if uniform(self._seed, _STREAM, 0, self._taken, 0) < ON and len(self._others) < _QUEUE:
                self._others[key] = None
            else:
                public.append(key)
        return public

    def drop(self, keys: Iterable[str]) -> None:
        """These are public now."""
        for key in keys:
            self._others.pop(key, None)

    def give(self, own: Iterable[str]) -> list[str]:
        """Keys to whisper to the next peer; `own`: the node's own keys that are not public yet."""
        self._given += 1
        others = self._some(list(self._others), MAX_WHISPERS * 3 // 4 - 1, 1)
        for key in others:
            del self._others[key]
        waiting = [key for key in own if self._given - self._last.get(key, -_AGAIN) >= _AGAIN]
        mine = self._some(sorted(waiting), 1 + len(others) // 3, 2)
        self._last |= dict.fromkeys(mine, self._given)
        return sorted({*others, *mine}, key=row_id)

    def _some(self, keys: list[str], most: int, which: int) -> list[str]:
        order = permutation(self._seed, _STREAM, which, self._given, len(keys))
        return [keys[place] for place in order[:most].tolist()]
