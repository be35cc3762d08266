"""Questions between partners about their masks, and answers, in a window of push-sum."""

from __future__ import annotations

import numpy as np

from tacit.core.compiled.compiling import kernel
from tacit.protocols.push_sum.mask_pairs import QUESTION_BYTES, hear, next_asked, place, side
from tacit.protocols.push_sum.message_loss import ANSWER, QUESTION, lost
from tacit.protocols.push_sum.state import Book, Rules
from tacit.protocols.push_sum.window_kernels import Clocks, Questions, Sent
from tacit.simulator.churn.sessions import Sessions, online_at, online_through


@kernel
def ask(
    u: int,
    now: int,
    event: int,
    questions: Questions,
    book: Book,
    clocks: Clocks,
    sessions: Sessions,
    sent: Sent,
    rules: Rules,
) -> None:
    """Ask a partner that is there whether its mask is in."""
    partner = book.partner[u]
    there = np.zeros(len(partner), np.bool_)
    for c in range(len(partner)):
        there[c] = partner[c] >= 0 and online_at(sessions, partner[c], now)
    c = next_asked(book, u, there)
    if c < 0:
        return
    sent.bytes[u] += QUESTION_BYTES
    arrive = now + clocks.transfer
    if (
        online_through(sessions, u, now, arrive)
        and online_through(sessions, partner[c], now, arrive)
        and not lost(rules.seed, u, event, QUESTION, clocks.loss)
    ):
        questions.arrive[u] = arrive
        questions.receiver[u] = partner[c]
        questions.said[u] = side(book, u, c)
        questions.heard[u] = not lost(rules.seed, u, event, ANSWER, clocks.loss)


@kernel
def answer(u: int, v: int, questions: Questions, book: Book, sent: Sent, rules: Rules) -> None:
    """Node u hears what v says of their pair, and says of it what is so then."""
    said = questions.said[v]
    hear(book, u, said, rules)
    sent.bytes[u] += QUESTION_BYTES
    if questions.heard[v]:
        questions.answer[v] = side(book, u, place(said))
