"""Noise that hides each node, cancels in the sum, and shows when it does not."""

import numpy as np
import pytest

from tacit.protocols.push_sum.mask_partners import pair_up
from tacit.protocols.push_sum.masks import CHECKS, left_of_masks, mask
from tests.protocols.push_sum.test_kernels import begun


def test_masks_hide_each_node_and_cancel_in_the_sum() -> None:
    bare, masked = begun(40), begun(40, masks=30.0)
    bare.sums[:, -1 - CHECKS : -1] = 0  # without masks everybody's own numbers are there
    noise = (masked.sums - bare.sums)[:, :-1]
    assert noise.std(axis=1) == pytest.approx(np.full(40, 30.0), rel=0.15)
    assert noise.astype(np.float64).sum(axis=0) == pytest.approx(0, abs=1e-3)
    assert (masked.sums[:, -1] == 1).all()  # the weight tells nothing


def test_without_one_partner_most_of_a_mask_is_left() -> None:
    partner, secret = pair_up(40, 3, 0)
    whole, less = np.zeros(500, np.float32), np.zeros(500, np.float32)
    mask(7, partner[7], secret[7], 0, 30.0, whole)
    partner[7, 0] = -1
    mask(7, partner[7], secret[7], 0, 30.0, less)
    assert less[:-1].std() == pytest.approx(30 * np.sqrt(2 / 3), rel=0.15)
    assert (whole - less)[:-1].std() == pytest.approx(30 / np.sqrt(3), rel=0.15)


def test_what_is_left_of_masks_is_seen_in_the_check_coordinates() -> None:
    masked = begun(40, masks=30.0)
    whole = masked.sums.astype(np.float64).sum(axis=0).astype(np.float32)
    assert left_of_masks(whole) < 1e-3
    missing = masked.sums[1:].astype(np.float64).sum(axis=0).astype(np.float32)
    assert left_of_masks(missing) == pytest.approx(30 / 39, rel=0.5)
