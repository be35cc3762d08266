"""Half precision in compiled code, which has no type for it: 16-bit words, the same as NumPy's float16.

`narrow` rounds to the nearest, ties to even, and stops at the largest finite number instead of running over.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tacit.core.compiled.compiling import kernel

Words = npt.NDArray[np.uint16]
Singles = npt.NDArray[np.float32]

LARGEST = 65504.0
FEWEST = 6
"""Bits of the shortest form of a number: sign and exponent."""
_1, _13, _16 = np.uint32(1), np.uint32(13), np.uint32(16)
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
def widen(words: Words, out: Singles) -> None:
    """16-bit words as numbers."""
    bits = out.view(np.uint32)
    for n in range(len(words)):
        bits[n] = (np.uint32(words[n]) & np.uint32(0x7FFF)) << np.uint32(13)
    for n in range(len(words)):
        # The exponent's bias is 112 smaller; multiplying also gives subnormal numbers their value.
        size = out[n] * np.float32(5.192296858534828e33)
        out[n] = -size if words[n] >= 0x8000 else size
