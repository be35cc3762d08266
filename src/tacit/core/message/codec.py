"""The codec: an `Update` as bytes and back. A versioned header, little-endian arrays, no pickle, sizes capped.

    magic "TACT" | version u8 | flags u8 | width u16 | items u32 | rows u32 | dense u32 | clock u64
    index  rows x u32   only when some rows travel, ascending
    ages   rows x u32   unless flagged: sums have no ages
    rows   rows x width x f32 (f64 or f16 when flagged; f16 packed, where lower bits are zero in all and it is shorter)
    dense  dense x f32 (f64 or f16 when flagged)

The upper half of the flags says how many lower bits are zero in all f16 of the rows; 0: they are not packed.
`decode` trusts nothing: every length is checked before it is used, every number must be finite.
"""

from __future__ import annotations

import struct

import numpy as np

from tacit.core.errors import BadMessage
from tacit.core.interactions import Positions
from tacit.core.message.half_precision import FEWEST, Words
from tacit.core.message.packing import TABLE, exponents, pack, size_in_message, unpack, used_bits
from tacit.core.message.update import Update, received
from tacit.core.node_state import Floats

VERSION = 3
MAX_BYTES = 256 * 2**20
MAX_ITEMS = 2**28
_MAGIC = b"TACT"
_HEADER = struct.Struct("<4sBBHIIIQ")
_SPARSE, _DOUBLE, _HALF, _AGELESS = 1, 2, 4, 8
_SPARE = 4
"""Where the flags say how many lower bits are zero in all numbers."""
_NUMBERS = {0: "<f4", _DOUBLE: "<f8", _HALF: "<f2"}


def encode(update: Update) -> bytes:
    """The bytes of an update; anything else is refused."""
    if type(update) is not Update:
        raise TypeError(f"only an Update can be encoded, got {type(update).__name__}")
    size = {np.dtype(np.float64): _DOUBLE, np.dtype(np.float16): _HALF}.get(update.rows.dtype, 0)
    number = _NUMBERS[size]
    count, width = update.rows.shape
    flags = size | (_SPARSE if update.index is not None else 0)
    flags |= _AGELESS if count and len(update.ages) == 0 else 0
    room = rows_size(update.rows)
    short = room < update.rows.nbytes
    if short:
        words, bits = _bits(update.rows)
        flags |= (16 - bits) << _SPARE
    parts = [
        _HEADER.pack(_MAGIC, VERSION, flags, width, update.items, count, len(update.dense), int(update.clock))
    ]
    if update.index is not None:
        parts.append(update.index.astype("<u4").tobytes())
    parts.append(update.ages.astype("<u4").tobytes())
    if short:
        packed = np.empty(room, np.uint8)
        pack(words, bits, packed)
        parts.append(packed.tobytes())
    else:
        parts.append(update.rows.astype(number).tobytes())
    parts.append(update.dense.astype(number).tobytes())
    return b"".join(parts)


def decode(data: bytes) -> Update:
    """The update in some bytes from outside, or `BadMessage` saying what is wrong with them."""
    if len(data) > MAX_BYTES:
        raise BadMessage(f"message: got {len(data)} bytes; allowed: at most {MAX_BYTES}")
    if len(data) < _HEADER.size:
        raise BadMessage(f"message: got {len(data)} bytes; allowed: at least the header's {_HEADER.size}")
    magic, version, flags, width, items, count, dense, clock = _HEADER.unpack_from(data)
    if magic != _MAGIC:
        raise BadMessage(f"message: got {magic!r} at the start; allowed: {_MAGIC!r}")
    if version != VERSION:
        raise BadMessage(f"message version: got {version}; allowed: {VERSION}")
    spare = flags >> _SPARE
    kind = flags & (_DOUBLE | _HALF)
    if kind == _DOUBLE | _HALF or spare > 16 - FEWEST or (spare and kind != _HALF):
        raise BadMessage(f"message flags: got {flags}; allowed: one kind of number, nothing unknown")
    if items > MAX_ITEMS or count > items:
        raise BadMessage(
            f"message rows: got {count} of {items}; allowed: at most {MAX_ITEMS}, no more than items"
        )
    sparse = bool(flags & _SPARSE)
    if not sparse and count != items:
        raise BadMessage(f"message rows: got {count} of {items} without an index; allowed: all of them")
    number = _NUMBERS[kind]
    itemsize, has_ages = np.dtype(number).itemsize, not flags & _AGELESS
    size = encoded_size(count, width, dense, sparse=sparse, itemsize=itemsize, ages=has_ages)
    numbers = count * width
    packed = len(data) - size + numbers * itemsize if spare else numbers * itemsize
    # A packed number has two bits or more, so that few bytes cannot ask for much memory.
    fits = numbers <= 4 * (packed - TABLE) and packed < numbers * itemsize if spare else len(data) == size
    if not fits:
        raise BadMessage(f"message length: got {len(data)} bytes; allowed: {size}, as its header says")
    if clock >= 2**63:
        raise BadMessage(f"message clock: got {clock}; allowed: below 2^63")
    at = _HEADER.size
    index: Positions | None = None
    if sparse:
        places = np.frombuffer(data, "<u4", count, at).astype(np.int64)
        at += 4 * count
        if count and (places[-1] >= items or np.any(np.diff(places) <= 0)):
            raise BadMessage("message index: got positions out of order or out of range; allowed: ascending")
        index = places.astype(np.int32)
    aged = count if has_ages else 0
    raw_ages = np.frombuffer(data, "<u4", aged, at)
    if aged and int(raw_ages.max()) >= 2**31:
        raise BadMessage("message ages: got one above 2^31; allowed: below")
    at += 4 * aged
    if spare:
        words = np.empty(numbers, np.uint16)
        if not unpack(np.frombuffer(data, np.uint8, packed, at), 16 - spare, words):
            raise BadMessage("message rows: got bits that are no numbers; allowed: what encode writes")
        rows = words.view(np.float16).reshape(count, width)
    else:
        rows = np.frombuffer(data, number, numbers, at).reshape(count, width)
    tail = np.frombuffer(data, number, dense, at + packed)
    if not (np.isfinite(rows).all() and np.isfinite(tail).all()):
        raise BadMessage("message numbers: got NaN or infinity; allowed: finite numbers")
    native = np.dtype(number).newbyteorder("=")
    return received(items, index, rows.astype(native), raw_ages.astype(np.int32), tail.astype(native), clock)


def encoded_size(
    rows: int, width: int, dense: int, *, sparse: bool, itemsize: int = 4, ages: bool = True
) -> int:
    """How many bytes `encode` writes for such an update of whole numbers: what a simulator counts for every message.

    >>> encoded_size(1682, 6, 0, sparse=False)
    47124
    """
    whole = (4 if ages else 0) + (4 if sparse else 0)
    return _HEADER.size + rows * (whole + width * itemsize) + dense * itemsize


def rows_size(rows: Floats) -> int:
    """Bytes of the numbers of rows in a message."""
    if rows.dtype != np.float16:
        return rows.nbytes
    words, bits = _bits(rows)
    return int(size_in_message(exponents(words), bits))


def _bits(rows: Floats) -> tuple[Words, int]:
    """Numbers of half precision, and how many bits of them are used."""
    words = np.ascontiguousarray(rows, np.float16).view(np.uint16).reshape(-1)
    return words, int(used_bits(words))
