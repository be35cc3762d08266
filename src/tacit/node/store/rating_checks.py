"""Checksums of ratings and titles, kept with every change and compared with what is read.

Ratings have one sum of hashes per person. It does not depend on their order. A rating that is added, changed or deleted
changes it by its own hash alone. So a change on the disk stays visible, however much is written later. A title, which
several people may have rated, has a hash of its own beside it.
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
    return _number(person, key, signal, None if value is None else float(value), time, source)


def title_hash(key: str, title: str) -> int:
    """A number that stands for an item's title."""
    return _number(key, title)


def _number(*parts: object) -> int:
    return int.from_bytes(blake2b(msgspec.msgpack.encode(parts), digest_size=_BYTES).digest(), "little")
