"""Blending rows in vector instructions."""

from __future__ import annotations

import numpy as np
import pytest

from tacit.core.compiled.compiling import kernel
from tacit.core.compiled.vectors import LANES, make_blend, vectors_work


def test_vectors_work_here() -> None:
    assert vectors_work()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_sixteen_rows_from_the_given_one_on_are_blended_and_no_other(dtype: type) -> None:
    blend = make_blend(2)

    @kernel
    def blended(weight, i, own, theirs, out):  # type: ignore[no-untyped-def]
        blend(weight, i, own, theirs, out)

    rng = np.random.default_rng(3)
    own, theirs = rng.normal(size=(2, 40, 2)).astype(dtype)
    weight, out = rng.random(40).astype(np.float32), np.zeros((40, 2), dtype)
    blended(weight, 5, own, theirs, out)
    part = slice(5, 5 + LANES)
    w = weight[part, None]
    wanted = (np.float32(1) - w) * own[part] + w * theirs[part]
    assert out[part].tobytes() == wanted.tobytes()
    out[part] = 0
    assert not out.any()
