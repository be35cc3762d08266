"""A text as a QR code: the path of an SVG, so that nothing but the page itself is needed to show it."""

from __future__ import annotations

from dataclasses import dataclass

import segno

QUIET = 4
"""Empty modules around the code, which readers need."""


@dataclass(frozen=True, slots=True)
class QrCode:
    """A drawing of squares of size 1."""

    size: int
    """Width and height, with the empty border."""
    path: str


def qr_code(text: str) -> QrCode:
    """The code of a text. Capital letters take less room, and links mean the same in capitals."""
    matrix = segno.make_qr(text.upper(), error="l").matrix
    runs = []
    for y, line in enumerate(matrix):
        x = 0
        while x < len(line):
            start = x
            while x < len(line) and line[x]:
                x += 1
            if x > start:
                runs.append(f"M{start + QUIET} {y + QUIET}h{x - start}v1h-{x - start}z")
            x += 1
    return QrCode(len(matrix) + 2 * QUIET, "".join(runs))
