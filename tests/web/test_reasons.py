from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tacit.node.store.records import Reason
from tacit.web.reasons import WIDTH, rounded, why

PARTS = st.floats(-1, 1).filter(lambda part: part != 0)
REASONS = st.lists(
    st.builds(Reason, st.sampled_from(["own", "member"]), PARTS, st.sampled_from("ABC"), st.just("csv:1")),
    max_size=12,
)


def hue(key: str) -> int:
    return 7


@given(REASONS, PARTS)
def test_rows_always_add_up_and_the_bar_is_full(reasons: list[Reason], public: float) -> None:
    whole = sum(reason.part for reason in reasons) + public
    assume(whole > 0.05)
    found = why([*reasons, Reason("public", public)], hue)
    assert found is not None
    assert sum(row.percent for row in found.rows) == 100
    assert all((row.percent < 0) == (row.look == "against") for row in found.rows)
    assert found.bar[-1].start + found.bar[-1].width == pytest.approx(WIDTH, abs=len(found.bar) + 1)


@given(st.lists(st.floats(-500, 500), min_size=1, max_size=20))
def test_rounding_keeps_the_sum_and_moves_nothing_by_more_than_one(shares: list[float]) -> None:
    found = rounded(shares)
    assert sum(found) == round(sum(shares))
    assert all(abs(a - b) <= 1 + 1e-9 for a, b in zip(found, shares, strict=True))


def test_a_sum_worked_by_hand() -> None:
    reasons = [
        Reason("own", 0.5, "Night Ferry (2010)", "film:t:night ferry:2010"),
        Reason("own", 0.25, "Salt Road (1998)", "film:t:salt road:1998"),
        Reason("member", 0.2, "Bo"),
        Reason("public", 0.15),
        Reason("own", -0.1, "Low Water (1999)", "film:t:low water:1999"),
    ]
    found = why(reasons, hue)
    assert found is not None
    assert [(row.name, row.percent, row.look) for row in found.rows] == [
        ("Night Ferry", 50, "h07"),
        ("Salt Road", 25, "h07"),
        ("Bo likes it, or what is near to it", 20, "friend"),
        ("What most people like", 15, "public"),
        ("Against it: Low Water", -10, "against"),
    ]


def test_nothing_to_add_up() -> None:
    assert why([], hue) is None
    assert why([Reason("public", -1.0)], hue) is None
