from __future__ import annotations

import numpy as np
import pytest

from tacit.core.errors import BadInput
from tacit.simulator.age_limit import AgeLimit


def test_ages_of_other_ranks_count_where_ages_have_16_bits() -> None:
    """Here the oldest row is 10; another rank has one of 65,500, which two visits of 20 epochs would take too far."""
    limit = AgeLimit([np.array([10], np.uint16)])
    limit.look()
    limit.expect(np.array([0]), 2, 20)
    limit.at_least(lambda own: max(own, 65_530))
    limit.expect(np.array([0]), 2, 20)  # looks again: what is here is young
    other = AgeLimit([np.array([65_500], np.uint16)])
    other.look()
    with pytest.raises(BadInput, match="storage"):
        other.expect(np.array([0]), 2, 20)


def test_ages_of_32_bits_ask_nobody() -> None:
    asked: list[int] = []
    AgeLimit([np.array([10], np.int32)]).at_least(lambda own: asked.append(own) or own)
    assert asked == []


def test_ages_of_16_bits_never_run_over() -> None:
    ages = np.array([[3, 65_530]], np.uint16)
    limit = AgeLimit((ages,))
    limit.look()
    limit.expect(np.array([0, 1, 0]), 2, 1)
    with pytest.raises(BadInput, match="more than 65,535 times: got float16; allowed: float32"):
        limit.expect(np.array([0, 0]), 1, 3)
    ages[:] = 1  # replaced by younger rows since
    limit.expect(np.array([0, 0]), 1, 1)


def test_ages_of_32_bits_have_room() -> None:
    limit = AgeLimit((np.full((1, 2), 65_530, np.int32),))
    limit.look()
    limit.expect(np.array([0] * 100), 5, 1)
