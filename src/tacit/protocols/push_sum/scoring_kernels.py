"""Scores by rows that are kept in half precision, each user by their own node's."""

from __future__ import annotations

import numpy as np

from tacit.core.compiled.compiling import kernel
from tacit.core.compiled.threads import Workers
from tacit.core.interactions import Ints, Positions
from tacit.core.message.half_precision import Singles, Words, widen
from tacit.core.scorer import Scorer, Scores
from tacit.protocols.push_sum.state import Book


@kernel
def _score_block(low: int, high: int, first: int, words: Words, private: Singles, out: Scores) -> None:
    k = private.shape[1]
    items = words.shape[1] // k
    rows = np.empty(items * k, np.float32)
    for n in range(low, high):
        widen(words[first + n], rows)
        for i in range(items):
            total = np.float32(0)
            for f in range(k):
                total += private[first + n, f] * rows[i * k + f]
            out[n, i] = total


@kernel
def _score_some(
    low: int, high: int, start: Ints, item: Positions, words: Words, private: Singles, out: Scores
) -> None:
    k = private.shape[1]
    row = np.empty(k, np.float32)
    for u in range(low, high):
        for e in range(start[u], start[u + 1]):
            widen(words[u, item[e] * k : (item[e] + 1) * k], row)
            total = np.float32(0)
            for f in range(k):
                total += private[u, f] * row[f]
            out[e] = total


class WordScorer(Scorer):
    """p.q_j, the same as the model's `score`."""

    def __init__(self, book: Book, workers: Workers) -> None:
        super().__init__(len(book.rows), book.rows.shape[1] // book.private.shape[1])
        self._state, self._workers = (book.rows, book.private), workers

    def block(self, low: int, high: int, out: Scores) -> None:
        """Fill `out` for the users low .. high, on all cores."""
        self._workers.run(_score_block, high - low, low, *self._state, out)

    def some(self, start: Ints, item: Positions) -> Scores:
        """Only the items asked for."""
        out = np.empty(len(item))
        self._workers.run(_score_some, self.users, start, item, *self._state, out)
        return out
