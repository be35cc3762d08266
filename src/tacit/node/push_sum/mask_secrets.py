"""Masks between two devices: a secret of both, and the noise it gives in one epoch.

Each of the two makes its part of the secret from a key that never leaves it, the epoch and the other's id. So it gives
the same part when it is asked again, also after a restart. Parts travel over the encrypted, authenticated connection.
The noise is added as in `protocols.push_sum.masks`. It comes from SHAKE-256, an extendable hash, because the
simulator's generator is not made for secrets.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b, shake_256

import numpy as np
import numpy.typing as npt

from tacit.node.push_sum.sum_wire import PART, Epoch
from tacit.protocols.push_sum.masks import MIDDLE, SPAN

WANTED = 4
"""Partners a node asks for in an epoch; everybody scales by this, so that noise cancels between any two."""
MOST = 8
"""Partners it agrees to in an epoch."""


@dataclass(frozen=True, slots=True)
class Pair:
    """What one side knows of a pair."""

    secret: bytes
    adds: bool
    """Whether this side adds the noise; the other subtracts it."""
    able: bool
    """Whether the other side said that it puts data in."""


def part(key: bytes, me: str, peer: str, epoch: Epoch) -> bytes:
    """One node's part of the secret with a peer."""
    return blake2b(_said(epoch, me, peer), digest_size=PART, key=key, person=b"tacit mask part").digest()


def pair(me: str, peer: str, mine: bytes, theirs: bytes, epoch: Epoch, able: bool) -> Pair:
    """Put two parts together; both sides get the same secret."""
    first, second = (mine, theirs) if me < peer else (theirs, mine)
    said = _said(epoch, *sorted((me, peer)))
    secret = blake2b(first + second + said, digest_size=PART, person=b"tacit mask").digest()
    return Pair(secret, me < peer, able)


def noise(one: Pair, size: int, strength: float) -> npt.NDArray[np.float64]:
    """What this side of a pair adds to `size` numbers; `strength` is that of all masks of a node together."""
    words = np.frombuffer(shake_256(one.secret).digest(4 * size), "<u4").astype(np.float64)
    scale = strength / np.sqrt(np.float64(WANTED)) * SPAN
    return np.asarray((scale if one.adds else -scale) * (words - MIDDLE), np.float64)


def _said(epoch: Epoch, *ids: str) -> bytes:
    return b"|".join([b"%d" % epoch.number, epoch.digest, *(name.encode() for name in ids)])
