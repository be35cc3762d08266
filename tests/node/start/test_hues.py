"""Hues: neighbours in taste are neighbours in colour."""

from __future__ import annotations

import numpy as np

from tacit.node.start.hues import GREY, STEPS, hues_of


def test_titles_around_a_circle_get_hues_around_a_circle() -> None:
    angle = np.linspace(0, 2 * np.pi, 240, endpoint=False)
    rows = np.stack([np.cos(angle), np.sin(angle)], 1)
    hues = hues_of(rows, np.arange(240, 0, -1)).astype(int)
    apart = np.abs(np.diff(hues))
    assert np.minimum(apart, STEPS - apart).max() <= 1
    assert np.bincount(hues).min() >= 8, "each of 24 is used about as often"


def test_a_title_without_a_row_is_grey_and_few_titles_have_one_hue() -> None:
    rows = np.vstack([np.eye(5), np.zeros((1, 5))])
    assert hues_of(rows, np.ones(6, int))[-1] == GREY
    assert hues_of(np.eye(2), np.ones(2, int)).tolist() == [0, 0]
