from __future__ import annotations

from tacit.node.circle.rates import Rate

SECOND = 1_000_000


def test_so_many_at_once_and_then_one_after_the_other() -> None:
    rate = Rate(3, 60.0)
    assert [rate.take("Bo", 0) for _ in range(4)] == [True, True, True, False]
    assert rate.take("Cy", 0)  # everybody has their own
    assert not rate.take("Bo", 59 * SECOND)
    assert rate.take("Bo", 60 * SECOND)
    assert not rate.take("Bo", 61 * SECOND)


def test_the_next_time_is_known() -> None:
    rate = Rate(1, 60.0)
    assert rate.take("Bo", 0)
    wait = rate.wait("Bo", 20 * SECOND)
    assert abs(wait - 40 * SECOND) < SECOND
    assert rate.take("Bo", 20 * SECOND + wait)
    assert rate.wait("Cy", 0) == 0 or rate.take("Cy", 0)


def test_more_than_there_is_can_be_spent_and_is_paid_back() -> None:
    rate = Rate(1_000, 1.0)
    rate.spend("Bo", 0, 1_500)
    assert rate.left("Bo", 0) == -500
    assert not rate.take("Bo", 400 * SECOND)
    assert rate.take("Bo", 502 * SECOND)
