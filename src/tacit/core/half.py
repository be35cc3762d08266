"""Half-precision numbers in compiled code, which has no type for them: 16-bit words, the same as NumPy's float16.

`narrow` rounds to the nearest, ties to even, and stops at the largest finite number instead of running over.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tacit.core.compiling import kernel

Words = npt.NDArray[np.uint16]
Singles = npt.NDArray[np.float32]

LARGEST = 65504.0


@kernel
def narrow(values: Singles, out: Words) -> None:
    """Numbers as 16-bit words."""
    bits = values.view(np.uint32)
    for n in range(len(values)):
        word = np.int64(bits[n])
        sign = (word >> 16) & 0x8000
        size = word & 0x7FFFFFFF
        if (
            size >= 0x38800000
        ):  # normal numbers, from 2^-14: rebias the exponent, round the thirteen bits that go
            half = (size - 0x38000000 + 0xFFF + ((size >> 13) & 1)) >> 13
            if half > 0x7BFF:
                half = np.int64(0x7BFF)
        else:  # multiples of 2^-24; adding and taking 2^23 rounds to the nearest whole one, ties to even
            whole = np.float32(abs(values[n]) * np.float32(16777216.0)) + np.float32(8388608.0)
            half = np.int64(whole - np.float32(8388608.0))
        out[n] = np.uint16(sign | half)


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
