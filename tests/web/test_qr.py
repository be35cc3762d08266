from __future__ import annotations

import re

from tacit.web.qr import QUIET, qr_code


def squares(path: str) -> set[tuple[int, int]]:
    found = set()
    for x, y, width in re.findall(r"M(\d+) (\d+)h(\d+)v1", path):
        found |= {(int(x) + i, int(y)) for i in range(int(width))}
    return found


def test_the_drawing_has_the_three_corners_of_a_code_and_a_quiet_border() -> None:
    code = qr_code("tacit1:" + "abcdefgh" * 20)
    drawn = squares(code.path)
    last = code.size - QUIET - 1
    assert min(x for x, _ in drawn) == min(y for _, y in drawn) == QUIET
    assert max(x for x, _ in drawn) == max(y for _, y in drawn) == last
    ring = {(x, y) for x in range(7) for y in range(7) if 0 in (x, y) or 6 in (x, y)}
    middle = {(x, y) for x in range(2, 5) for y in range(2, 5)}
    gap = {(x, y) for x in range(1, 6) for y in range(1, 6)} - middle
    for left, top in ((QUIET, QUIET), (last - 6, QUIET), (QUIET, last - 6)):
        assert {(left + x, top + y) for x, y in ring | middle} <= drawn
        assert not {(left + x, top + y) for x, y in gap} & drawn


def test_another_text_is_another_drawing_and_capitals_are_the_same() -> None:
    assert qr_code("tacit1:abc").path != qr_code("tacit1:abd").path
    assert qr_code("tacit1:abc") == qr_code("TACIT1:ABC")
