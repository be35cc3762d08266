"""Checksums of ratings: one sum of hashes per person, kept with every change and compared with what is read.

A sum does not depend on the order of ratings. A rating that is added, changed or deleted changes it by its own hash
alone, so a change on the disk stays visible, however much is written later.
"""

from __future__ import annotations

from hashlib import blake2b

import msgspec

_BYTES = 5
"""Of a hash: eight million of them still sum to less than 2^63."""


def rating_hash(
    person: str, key: str, signal: str, value: float | None, time: int | None, source: str
) -> int:
    """A number that stands for a rating."""
    parts = (person, key, signal, None if value is None else float(value), time, source)
    return int.from_bytes(blake2b(msgspec.msgpack.encode(parts), digest_size=_BYTES).digest(), "little")
