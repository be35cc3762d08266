"""A host in memory for protocol nodes in virtual time: every message is encoded, carried as bytes, and decoded.

Slow and obvious on purpose. The simulator must end with the same bits (tests/equivalence), and `wire` holds every byte
that ever left a node.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field

from tacit.core.message import codec
from tacit.protocols.gossip.node import GossipNode
from tacit.simulator.churn.sessions import Sessions, online_at, online_through

_ARRIVAL, _WAKE = 0, 1


@dataclass(slots=True)
class MemoryHost:
    """Nodes, an event queue, and everything that was sent."""

    nodes: list[GossipNode]
    sessions: Sessions
    transfer: int
    wire: list[tuple[int, int, int, bytes]] = field(default_factory=list)
    """(time, sender, receiver, bytes) of every message, lost ones included."""

    def run(self, until: int) -> None:
        """Let everything happen up to and including `until`."""
        queue: list[tuple[int, int, int, int, bytes]] = [
            (node.next_wake, _WAKE, node.number, 0, b"") for node in self.nodes
        ]
        heapq.heapify(queue)
        while queue and queue[0][0] <= until:
            now, kind, who, receiver, data = heapq.heappop(queue)
            if kind == _ARRIVAL:
                self.nodes[receiver].receive(codec.decode(data))
                continue
            node = self.nodes[who]
            if online_at(self.sessions, who, now):
                for send in node.wake(now, lambda peer, now=now: online_at(self.sessions, peer, now)):  # type: ignore[misc]
                    sent = codec.encode(send.update)
                    node.record(now, send, len(sent))
                    self.wire.append((now, who, send.peer, sent))
                    arrive = now + self.transfer
                    ends = (who, send.peer)
                    if all(online_through(self.sessions, end, now, arrive) for end in ends):
                        heapq.heappush(queue, (arrive, _ARRIVAL, who, send.peer, sent))
            else:
                node.skip()
            heapq.heappush(queue, (node.next_wake, _WAKE, who, 0, b""))
