"""Packing: half-precision numbers compressed by a Huffman code of their exponents.

The numbers of a message are of similar size, so that few of the 32 exponents occur. Each number is a Huffman code of
its exponent (Huffman 1952), its sign, and as many further bits as any of the numbers needs. Codes are in the order of
their lengths. A table comes first: the length of each exponent's code in four bits, 0 where it does not occur.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tacit.core.compiled.compiling import kernel
from tacit.core.message.half_precision import FEWEST, Words

Bytes = npt.NDArray[np.uint8]
Counts = npt.NDArray[np.int64]

EXPONENTS = 32
TABLE = EXPONENTS // 2
"""Bytes of the table of code lengths."""
_LONGEST = 15
_10, _31 = np.uint16(10), np.uint16(31)
_1, _8, _15, _BYTE = np.uint64(1), np.uint64(8), np.uint64(15), np.uint64(0xFF)


@kernel
def used_bits(words: Words) -> int:
    """How many upper bits say something of at least one number, sign and exponent included."""
    union = np.uint16(0)
    for n in range(len(words)):
        union |= words[n]
    bits = 16
    while bits > FEWEST and not (union >> np.uint16(16 - bits)) & np.uint16(1):
        bits -= 1
    return bits


@kernel
def exponents(words: Words) -> Counts:
    """How often each exponent occurs."""
    # Equal exponents often follow each other: with four tables in turn no count waits for the one before.
    tables = np.zeros((4, EXPONENTS), np.int64)
    whole = len(words) // 4 * 4
    for n in range(0, whole, 4):
        for lane in range(4):
            tables[lane, (words[n + lane] >> _10) & _31] += 1
    for n in range(whole, len(words)):
        tables[0, (words[n] >> _10) & _31] += 1
    return tables.sum(axis=0)  # type: ignore[no-any-return]


@kernel
def size_in_message(counts: Counts, bits: int) -> int:
    """Bytes of numbers with such exponents: packed, where not all their bits are used and that is shorter."""
    whole = 2 * int(counts.sum())
    return min(whole, packed_size(counts, bits)) if bits < 16 else whole


@kernel
def packed_size(counts: Counts, bits: int) -> int:
    """Bytes that `pack` writes for numbers with such exponents."""
    lengths = code_lengths(counts)
    total = 0
    for e in range(EXPONENTS):
        total += counts[e] * (lengths[e] + 1 + bits - FEWEST)
    return TABLE + (total + 7) // 8


@kernel
def code_lengths(counts: Counts) -> Counts:
    """How many bits the code of each exponent has: Huffman's, at most 15."""
    weights = counts.copy()
    while True:
        lengths = _huffman(weights)
        if lengths.max() <= _LONGEST:
            return lengths
        # Counts that differ less make codes that differ less.
        weights = (weights + 1) // 2


@kernel
def _huffman(counts: Counts) -> Counts:
    """Join the two rarest, of equal ones the first, until one is left; each step makes their codes a bit longer."""
    weight = np.zeros(2 * EXPONENTS, np.int64)
    weight[:EXPONENTS] = counts
    parent = np.full(2 * EXPONENTS, -1)
    last = EXPONENTS
    while True:
        a, b = -1, -1
        for n in range(last):
            if weight[n] > 0 and parent[n] < 0:
                if a < 0 or weight[n] < weight[a]:
                    a, b = n, a
                elif b < 0 or weight[n] < weight[b]:
                    b = n
        if b < 0:
            break
        weight[last] = weight[a] + weight[b]
        parent[a] = parent[b] = last
        last += 1
    lengths = np.zeros(EXPONENTS, np.int64)
    for e in range(EXPONENTS):
        n = e
        while parent[n] >= 0:
            lengths[e] += 1
            n = parent[n]
        # The only one there is has a code, too.
        if counts[e] > 0 and last == EXPONENTS:
            lengths[e] = 1
    return lengths


@kernel
def pack(words: Words, bits: int, out: Bytes) -> None:
    """The table, then number by number, the highest bits first; zeros fill the last byte."""
    lengths = code_lengths(exponents(words))
    for e in range(0, EXPONENTS, 2):
        out[e // 2] = (lengths[e] << 4) | lengths[e + 1]
    codes = np.zeros(EXPONENTS, np.uint64)
    code = np.uint64(0)
    for length in range(1, _LONGEST + 1):
        code <<= _1
        for e in range(EXPONENTS):
            if lengths[e] == length:
                codes[e] = code
                code += _1
    more = np.uint64(bits - FEWEST)
    spare, low = np.uint64(16 - bits), (_1 << more) - _1
    held, count, at = np.uint64(0), np.uint64(0), TABLE
    for n in range(len(words)):
        word = np.uint64(words[n])
        e = (words[n] >> _10) & _31
        held = (held << np.uint64(lengths[e])) | codes[e]
        held = (held << _1) | (word >> _15)
        held = (held << more) | ((word >> spare) & low)
        count += np.uint64(lengths[e]) + _1 + more
        while count >= _8:
            count -= _8
            out[at] = (held >> count) & _BYTE
            at += 1
    if count > 0:
        out[at] = (held << (_8 - count)) & _BYTE


@kernel
def unpack(packed: Bytes, bits: int, out: Words) -> bool:
    """What `pack` was given; False where these bytes are not what it writes for so many numbers."""
    if len(packed) < TABLE:
        return False
    lengths = np.zeros(EXPONENTS, np.int64)
    for e in range(EXPONENTS):
        lengths[e] = packed[e // 2] >> 4 if e % 2 == 0 else packed[e // 2] & 15
    first, start, order = _decoder(lengths)
    end = 8 * len(packed)
    at = 8 * TABLE
    for n in range(len(out)):
        code, length, e = 0, 0, -1
        while e < 0:
            if length == _LONGEST or at >= end:
                return False
            code = (code << 1) | ((packed[at >> 3] >> (7 - (at & 7))) & 1)
            at += 1
            length += 1
            place = start[length] + code - first[length]
            if start[length] <= place < start[length + 1]:
                e = order[place]
        rest = 0
        if at + 1 + bits - FEWEST > end:
            return False
        for _ in range(1 + bits - FEWEST):
            rest = (rest << 1) | ((packed[at >> 3] >> (7 - (at & 7))) & 1)
            at += 1
        sign = rest >> (bits - FEWEST)
        out[n] = (sign << 15) | (e << 10) | ((rest & ((1 << (bits - FEWEST)) - 1)) << (16 - bits))
    if used_bits(out) != bits or packed_size(exponents(out), bits) != len(packed):
        return False
    again = np.zeros(len(packed), np.uint8)
    pack(out, bits, again)
    return bool((again == packed).all())


@kernel
def _decoder(lengths: Counts) -> tuple[Counts, Counts, Counts]:
    """The first code of each length, where its exponents begin in the third, and the exponents by their codes."""
    first, start = np.zeros(_LONGEST + 2, np.int64), np.zeros(_LONGEST + 3, np.int64)
    order = np.zeros(EXPONENTS, np.int64)
    code, count = 0, 0
    for length in range(1, _LONGEST + 1):
        code <<= 1
        first[length], start[length] = code, count
        for e in range(EXPONENTS):
            if lengths[e] == length:
                order[count] = e
                code += 1
                count += 1
        start[length + 1] = count
    return first, start, order
