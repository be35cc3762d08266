"""Half-precision numbers in compiled code, which has no type for them: 16-bit words, the same as NumPy's float16.

`narrow` rounds to the nearest, ties to even, and stops at the largest finite number instead of running over.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tacit.core.compiling import kernel

Bytes = npt.NDArray[np.uint8]
Words = npt.NDArray[np.uint16]
Singles = npt.NDArray[np.float32]

LARGEST = 65504.0
FEWEST = 6
"""Bits of the shortest form of a number: sign and exponent."""
_1, _8, _13, _16 = np.uint32(1), np.uint32(8), np.uint32(13), np.uint32(16)
_SIZE, _SIGN, _LARGEST = np.uint32(0x7FFFFFFF), np.uint32(0x8000), np.uint32(0x7BFF)
_NORMAL, _BIAS, _BELOW_HALF = np.uint32(0x38800000), np.uint32(0x38000000), np.uint32(0xFFF)


@kernel
def narrow(values: Singles, out: Words) -> None:
    """Numbers as 16-bit words."""
    bits = values.view(np.uint32)
    for n in range(len(values)):
        size = bits[n] & _SIZE
        # Normal numbers, from 2^-14: rebias the exponent, round away thirteen bits.
        normal = (size - _BIAS + _BELOW_HALF + ((size >> _13) & _1)) >> _13
        # Below that multiples of 2^-24: adding and taking 2^23 rounds to the nearest whole one, ties to even.
        whole = min(abs(values[n]) * np.float32(2**24), np.float32(2**11)) + np.float32(2**23)
        small = np.uint32(np.int32(whole - np.float32(2**23)))
        half = normal if size >= _NORMAL else small
        half = min(half, _LARGEST)
        out[n] = np.uint16(((bits[n] >> _16) & _SIGN) | half)


@kernel
def shorten(words: Words, bits: int) -> None:
    """Round to so many upper bits, ties to even: sign, five of exponent, and what is left for the rest."""
    spare = np.uint32(16 - bits)
    if spare == 0:
        return
    kept = ~((_1 << spare) - _1)
    below_half = (_1 << (spare - _1)) - _1
    for n in range(len(words)):
        word = np.uint32(words[n])
        size = word & ~_SIGN
        size = (size + below_half + ((size >> spare) & _1)) & kept
        size = min(size, _LARGEST & kept)
        words[n] = np.uint16((word & _SIGN) | size)


@kernel
def used_bits(words: Words) -> int:
    """How many upper bits say something of at least one number, from `FEWEST`; `pack` needs no more."""
    union = np.uint16(0)
    for n in range(len(words)):
        union |= words[n]
    bits = 16
    while bits > FEWEST and not (union >> np.uint16(16 - bits)) & np.uint16(1):
        bits -= 1
    return bits


@kernel
def pack(words: Words, bits: int, out: Bytes) -> None:
    """The upper bits of each number one after the other, the highest first; zeros fill the last byte."""
    held, count, at = np.uint32(0), 0, 0
    for n in range(len(words)):
        held = (held << np.uint32(bits)) | (np.uint32(words[n]) >> np.uint32(16 - bits))
        count += bits
        while count >= 8:
            count -= 8
            out[at] = np.uint8((held >> np.uint32(count)) & np.uint32(0xFF))
            at += 1
    if count > 0:
        out[at] = np.uint8((held << np.uint32(8 - count)) & np.uint32(0xFF))


@kernel
def unpack(packed: Bytes, bits: int, out: Words) -> None:
    """What `pack` was given."""
    held, count, at = np.uint32(0), 0, 0
    low = (_1 << np.uint32(bits)) - _1
    for n in range(len(out)):
        while count < bits:
            held = (held << _8) | np.uint32(packed[at])
            count += 8
            at += 1
        count -= bits
        out[n] = np.uint16(((held >> np.uint32(count)) & low) << np.uint32(16 - bits))


@kernel
def widen(words: Words, out: Singles) -> None:
    """16-bit words as numbers."""
    bits = out.view(np.uint32)
    for n in range(len(words)):
        bits[n] = (np.uint32(words[n]) & np.uint32(0x7FFF)) << np.uint32(13)
    for n in range(len(words)):
        # The exponent's bias is 112 smaller; multiplying also gives subnormal numbers their value.
        size = out[n] * np.float32(5.192296858534828e33)
        out[n] = -size if words[n] >= 0x8000 else size
