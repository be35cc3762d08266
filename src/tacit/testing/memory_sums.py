"""Real push-sum nodes in virtual time over a transport in memory that can lose messages and acknowledgements.

Slow and obvious on purpose, like `memory_host`: every share is encoded, carried as bytes, and decoded.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field

from tacit.core.message import codec
from tacit.protocols.push_sum.mask_pairs import QUESTION_BYTES
from tacit.protocols.push_sum.message_loss import ACK, ACK_BYTES, ANSWER, QUESTION, SHARE, lost
from tacit.protocols.push_sum.node import PushSumNode
from tacit.protocols.push_sum.state import WAKES
from tacit.simulator.churn.sessions import Sessions, online_at, online_through

_ARRIVAL, _QUESTION, _WAKE = range(3)
_Queue = list[tuple[int, int, int, int, int, bytes]]


@dataclass(slots=True)
class MemorySums:
    """Nodes, an event queue, and everything that was sent."""

    nodes: list[PushSumNode]
    sessions: Sessions
    transfer: int
    loss: float = 0.0
    wire: list[tuple[int, int, int, bytes]] = field(default_factory=list)
    """(time, sender, receiver, bytes) of every share, lost ones included."""
    answers: list[int] = field(default_factory=list)
    """The nodes that acknowledged or answered something, once for each time."""
    questions: list[int] = field(default_factory=list)
    """The nodes that asked something, once for each time."""

    def run(self, until: int) -> None:
        """Let everything happen up to and including `until`."""
        queue: _Queue = [(node.next_wake, _WAKE, node.number, 0, 0, b"") for node in self.nodes]
        heapq.heapify(queue)
        while queue and queue[0][0] <= until:
            now, kind, who, other, event, data = heapq.heappop(queue)
            if kind == _WAKE:
                self._wake(queue, now, self.nodes[who])
            elif kind == _QUESTION:
                answer = self.nodes[other].asked(who, int.from_bytes(data))
                self.answers.append(other)
                if not self._lost(who, event, ANSWER):
                    self.nodes[who].answered(answer)
            else:
                number = self.nodes[other].receive(who, codec.decode(data))
                self.answers.append(other)
                # A few bytes on a connection that is open: an answer takes no time.
                if not self._lost(who, event, ACK):
                    self.nodes[who].acknowledged(number)

    def _wake(self, queue: _Queue, now: int, node: PushSumNode) -> None:
        who = node.number
        if online_at(self.sessions, who, now):
            event = int(node.book.clock[0, WAKES])
            for send in node.wake(now, lambda peer: online_at(self.sessions, peer, now)):
                sent = codec.encode(send.update)
                node.record(now, send, len(sent))
                self.wire.append((now, who, send.peer, sent))
                arrive = now + self.transfer
                if not self._through(who, send.peer, now, arrive):
                    node.broke_off()
                elif not self._lost(who, event, SHARE):
                    heapq.heappush(queue, (arrive, _ARRIVAL, who, send.peer, event, sent))
            self._ask(queue, now, node, event)
        else:
            node.skip()
        heapq.heappush(queue, (node.next_wake, _WAKE, who, 0, 0, b""))

    def _ask(self, queue: _Queue, now: int, node: PushSumNode, event: int) -> None:
        question = node.ask(now, lambda peer: online_at(self.sessions, peer, now))
        if question is None:
            return
        who, arrive = node.number, now + self.transfer
        self.questions.append(who)
        if self._through(who, question.peer, now, arrive) and not self._lost(who, event, QUESTION):
            said = question.said.to_bytes(QUESTION_BYTES)
            heapq.heappush(queue, (arrive, _QUESTION, who, question.peer, event, said))

    def _lost(self, sender: int, event: int, which: int) -> bool:
        return bool(lost(self.nodes[sender].agreed.rules.seed, sender, event, which, self.loss))

    def _through(self, a: int, b: int, start: int, until: int) -> bool:
        return all(online_through(self.sessions, end, start, until) for end in (a, b))

    @property
    def answer_bytes(self) -> int:
        """What all acknowledgements, questions and answers came to: all are as small."""
        return ACK_BYTES * len(self.answers) + QUESTION_BYTES * len(self.questions)
