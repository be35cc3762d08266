"""Sums on disk, part by part, so that a share that came or goes costs a write of the sums and not of everything."""

from __future__ import annotations

import msgspec
import numpy as np

from tacit.node.push_sum.mask_secrets import Pair
from tacit.node.push_sum.sum_learner import SumLearner
from tacit.node.push_sum.sum_wire import NO_EPOCH, Epoch

_BOOK = ("sums", "heads", "clock", "known", "words", "sent_heads", "private")
_WITH = {"sums": {"heads", "clock", "known", "private", "meta"}}
"""Parts that change together."""


class _Meta(msgspec.Struct):
    number: int
    put: bool
    ahead: int
    to: str
    transfer: int
    asked: list[str]
    pairs: dict[str, tuple[bytes, bool, bool]]


def save(learner: SumLearner, everything: bool = False) -> dict[str, bytes]:
    """What changed since it was last on disk, or all of it."""
    book = learner.book
    changed = set(learner.changed)
    for part in learner.changed:
        changed |= _WITH.get(part, set())
    if everything:
        changed = {*_BOOK, "names", "meta", "read"}
    parts = {name: getattr(book, name).tobytes() for name in _BOOK if name in changed}
    if "names" in changed:
        parts["names"] = learner.names.tobytes()
    if "meta" in changed or "names" in changed:
        pairs = {peer: (one.secret, one.adds, one.able) for peer, one in learner.pairs.items()}
        meta = _Meta(
            learner.epoch.number, learner.put, learner.ahead, learner.to, learner.transfer,
            sorted(learner.asked), pairs,
        )  # fmt: skip
        parts["meta"] = msgspec.msgpack.encode(meta)
    return parts | (learner.read.save() if "read" in changed else {})


def restore(learner: SumLearner, parts: dict[str, bytes]) -> None:
    """Go on where `save` was."""
    if "good_names" in parts:
        learner.read.restore(parts)
    if "names" not in parts:
        return
    meta = msgspec.msgpack.decode(parts["meta"], type=_Meta)
    names = np.frombuffer(parts["names"], np.uint64)
    epoch = Epoch.of(meta.number, names) if meta.number >= 0 else NO_EPOCH
    learner.reopen(epoch, names, {name: parts[name] for name in _BOOK})
    learner.put, learner.ahead, learner.to = meta.put, meta.ahead, meta.to
    # What was sent before the end may have arrived.
    learner.transfer, learner.doubt, learner.asked = meta.transfer, True, set(meta.asked)
    learner.pairs = {peer: Pair(*one) for peer, one in meta.pairs.items()}
