import numpy as np
import pytest

from tacit.core.rng import uniforms
from tacit.protocols.push_sum.headcount import HEADS, draw_heads, headcount


@pytest.mark.parametrize("people", [1, 30, 1000])
def test_the_largest_of_everybodys_numbers_count_people(people: int) -> None:
    gumbel = -np.log(-np.log(uniforms(5, 1, 0, people, HEADS)))
    heads = gumbel.max(axis=0).astype(np.float32)
    assert 0.6 * people < headcount(heads) < 1.6 * people


def test_numbers_are_drawn_by_person_and_epoch_and_survive_half_precision() -> None:
    drawn = np.zeros((3, HEADS), np.float32)
    for n, (number, epoch) in enumerate(((1, 0), (1, 1), (2, 0))):
        draw_heads(7, number, epoch, drawn[n])
    assert len(np.unique(drawn[:, 0])) == 3
    assert np.array_equal(drawn, drawn.astype(np.float16).astype(np.float32))
