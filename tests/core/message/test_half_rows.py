from __future__ import annotations

import numpy as np

from tacit.core.message.half_rows import put_rows, singles, take_rows


def test_rows_are_copied_and_rounded_as_numpy_does() -> None:
    rows = np.array([[0.1, -2.5], [65504.0, 6e-8], [1.0, 3.0]], np.float16)
    words = rows.view(np.uint16)
    index = np.array([2, 0], np.int32)
    np.testing.assert_array_equal(singles(words), rows.astype(np.float32))
    taken = take_rows(words, index)
    np.testing.assert_array_equal(taken, rows[index].astype(np.float32))
    taken += np.float32(0.123)
    put_rows(taken, words, index)
    np.testing.assert_array_equal(rows[index], taken.astype(np.float16))
    assert rows[1].tolist() == np.array([65504.0, 6e-8], np.float16).tolist()
