import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.core.rng import Stream, uniforms
from tacit.privacy.secure_aggregation import mask, unmask


def told(members, items, seed=1):
    """What members would tell: numbers in -2 .. 2 about half of the items, and which."""
    draws = uniforms(seed, Stream.SYNTHETIC, 0, members, 2 * items)
    counts = (draws[:, :items] < 0.5).astype(np.int64)
    return np.where(counts > 0, draws[:, items:] * 4 - 2, 0.0), counts


def masked_all(numbers, counts, seed=3, group=0):
    members, items = numbers.shape
    out = np.zeros((members, 2, items), np.uint64)
    for place in range(members):
        mask(seed, group, place, members, numbers[place], counts[place], out[place])
    return out


@settings(deadline=None, max_examples=30)
@given(members=st.integers(2, 12), items=st.integers(1, 20), seed=st.integers(0, 2**40))
def test_the_sum_is_exact(members, items, seed):
    numbers, counts = told(members, items, seed)
    total = masked_all(numbers, counts, seed).sum(axis=0, dtype=np.uint64)
    sums, seen = np.zeros(items), np.zeros(items, np.int64)
    unmask(total, sums, seen)
    assert seen.tolist() == counts.sum(axis=0).tolist()
    # Fixed point: each number is off by half a step of 2^-24 at most.
    assert np.abs(sums - numbers.sum(axis=0)).max() <= members * 2.0**-25


@pytest.mark.parametrize("members", [2, 3, 10])
def test_one_member_s_vector_says_nothing_about_its_data(members):
    items = 4000
    numbers, counts = told(members, items)
    out = masked_all(numbers, counts)
    for place in range(members):
        seen = out[place].astype(np.float64) / 2.0**64
        assert not np.any(out[place, 1] == counts[place].astype(np.uint64))
        # Uniform, and with no correlation beyond what chance gives (4 standard errors).
        assert abs(seen.mean() - 0.5) < 4 / np.sqrt(12 * 2 * items)
        for hidden, shown in ((numbers[place], seen[0]), (counts[place], seen[1]), (counts[place], seen[0])):
            assert abs(np.corrcoef(hidden, shown)[0, 1]) < 4 / np.sqrt(items)


def test_all_but_one_together_still_hide_it():
    numbers, counts = told(5, 4000)
    out = masked_all(numbers, counts)
    rest = out[1:].sum(axis=0, dtype=np.uint64).astype(np.float64)
    assert abs(np.corrcoef(numbers[1:].sum(axis=0), rest[0])[0, 1]) < 4 / np.sqrt(4000)


def test_groups_and_seeds_have_masks_of_their_own():
    numbers, counts = told(3, 50)
    one = masked_all(numbers, counts)
    assert not np.any(one == masked_all(numbers, counts, group=1))
    assert not np.any(one == masked_all(numbers, counts, seed=4))
