"""Gossip to views whose nodes are divided among several processes ("ranks").

Every rank knows all views, so it knows which models which rank needs. Nodes take in what arrived a part at a time, and
only the models that a part needs are here meanwhile.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from tacit.core.interactions import Ints
from tacit.protocols.view_gossip.simulation import ViewGossipSimulation
from tacit.protocols.view_gossip.simulation_kernels import Inbox
from tacit.simulator.checkpoint import Arrays
from tacit.simulator.fleet import Slots, empty_slots

_PARTS = 16
"""How many parts the nodes of a rank take in what arrived in."""


class ShardedViewGossip(ViewGossipSimulation):
    """The nodes of a network that lives in rounds that are on this rank."""

    def _take_in(self, inbox: Inbox, left: Slots) -> None:
        p, nodes = self.partition, len(self._views)
        owner, cuts = p.owner(nodes), p.cuts(nodes)
        parts = [_parts(inbox.start, int(cuts[rank]), int(cuts[rank + 1])) for rank in range(p.ranks)]
        place = p.places(nodes)[inbox.sender]
        for turn in range(_PARTS):
            needed = [np.unique(inbox.sender[slice(*_messages(inbox, part[turn]))]) for part in parts]
            coming = needed[p.rank][owner[needed[p.rank]] != p.rank]
            if len(coming) > len(self._come.rows):
                s = self._scenario
                self._come = empty_slots(len(coming), s.train.items, s.model, s.dtype)
            p.swap(
                left,
                [
                    (rank, u - self._here.start)
                    for rank, senders in enumerate(needed)
                    if rank != p.rank
                    for u in senders[owner[senders] == p.rank].tolist()
                ],
                self._come,
                [(int(owner[u]), n) for n, u in enumerate(coming.tolist())],
            )
            own = parts[p.rank][turn]
            first, last = _messages(inbox, own)
            theirs = first + np.flatnonzero(owner[inbox.sender[first:last]] != p.rank)
            place[theirs] = len(left.rows) + np.searchsorted(coming, inbox.sender[theirs])
            self._receive_part(inbox._replace(place=place), left, own)
        if self._timed:
            p.complete(self.seconds)

    def save(self) -> Arrays:
        """As one process would: what nodes remember is on their own ranks, and now on all."""
        for array in self._notes:
            self.partition.complete(array)
        return super().save()


def _parts(start: Ints, first: int, last: int) -> list[range]:
    """The nodes first .. last, in parts that get about as many messages."""
    wanted = start[first] + (start[last] - start[first]) * np.arange(1, _PARTS) // _PARTS
    cuts = [first, *np.clip(np.searchsorted(start, wanted), first, last).tolist(), last]
    return [range(a, b) for a, b in pairwise(cuts)]


def _messages(inbox: Inbox, part: range) -> tuple[int, int]:
    """Where the messages to some nodes begin and end."""
    return int(inbox.start[part.start]), int(inbox.start[part.stop])
