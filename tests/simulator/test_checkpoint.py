"""Arrays to disk and back, whole or not at all."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from tacit.simulator import checkpoint as snapshot
from tacit.simulator.checkpoint import Picked, Reader, write

shapes = hnp.array_shapes(min_dims=1, max_dims=3, min_side=0, max_side=5)
kinds = st.sampled_from([np.float32, np.float64, np.int32, np.int64, np.bool_])


@given(kinds.flatmap(lambda kind: hnp.arrays(kind, shapes)))
def test_round_trip(tmp_path_factory: pytest.TempPathFactory, array: np.ndarray) -> None:
    path = tmp_path_factory.mktemp("snapshot") / "a.npz"
    write(path, {"x": array})
    with Reader(path) as arrays:
        back, out = arrays["x"], np.zeros_like(array)
        assert arrays.into("x", out) == len(array)
    assert back.dtype == out.dtype == array.dtype
    assert back.tobytes() == out.tobytes() == array.tobytes()
    assert back.shape == array.shape


def test_large_arrays_are_written_and_read_in_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshot, "_PIECE", 100)
    array = np.arange(3000, dtype=np.float32).reshape(200, 15)
    write(tmp_path / "a.npz", {"x": array})
    out = np.zeros((300, 15), np.float32)
    with Reader(tmp_path / "a.npz") as arrays:
        assert arrays.into("x", out) == 200
    assert np.array_equal(out[:200], array)
    assert not out[200:].any()
    assert np.array_equal(np.load(tmp_path / "a.npz")["x"], array)  # any tool that knows .npz can read it


def test_picked_rows_are_gathered(tmp_path: Path) -> None:
    array = np.arange(12).reshape(6, 2)
    write(tmp_path / "a.npz", {"x": Picked(array, np.array([4, 0, 5]))})
    with Reader(tmp_path / "a.npz") as arrays:
        assert arrays["x"].tolist() == [[8, 9], [0, 1], [10, 11]]


@pytest.mark.parametrize(
    "out",
    [np.zeros((3, 2)), np.zeros((4, 3), np.float32), np.zeros((2, 2), np.float32)],
    ids=["type", "width", "room"],
)
def test_an_array_that_does_not_fit_is_refused(out: np.ndarray, tmp_path: Path) -> None:
    write(tmp_path / "a.npz", {"x": np.zeros((3, 2), np.float32)})
    with Reader(tmp_path / "a.npz") as arrays, pytest.raises(ValueError, match="x has shape"):
        arrays.into("x", out)


def test_a_failed_write_leaves_the_old_file_and_no_rest(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    write(path, {"x": np.arange(3)})
    with pytest.raises(IndexError):
        write(path, {"x": Picked(np.arange(3), np.array([7]))})
    assert list(tmp_path.iterdir()) == [path]
    with Reader(path) as arrays:
        assert arrays["x"].tolist() == [0, 1, 2]


def test_a_damaged_file_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    write(path, {"x": np.arange(1000, dtype=np.float32)})
    data = bytearray(path.read_bytes())
    data[2000] ^= 1
    path.write_bytes(data)
    with Reader(path) as arrays, pytest.raises(Exception, match="CRC"):
        arrays.into("x", np.zeros(1000, np.float32))


def test_objects_are_never_read(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", x=np.array([{"a": 1}], dtype=object))
    with Reader(tmp_path / "a.npz") as arrays, pytest.raises(ValueError, match=r"[Oo]bject"):
        arrays["x"]


def test_one_row_is_read_by_itself(tmp_path: Path) -> None:
    table = np.arange(24, dtype=np.float32).reshape(4, 3, 2)
    write(tmp_path / "s.npz", {"table": table, "flat": np.array([7, 8, 9])})
    with Reader(tmp_path / "s.npz") as arrays:
        assert np.array_equal(arrays.row("table", 2), table[2])
        assert int(arrays.row("flat", 1)) == 8
        for place in (-1, 4):
            with pytest.raises(IndexError):
                arrays.row("table", place)


def test_only_some_rows_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    whole = np.arange(40.0).reshape(10, 4)
    write(path, {"x": whole})
    out = np.zeros((3, 4))
    with Reader(path) as arrays:
        assert arrays.into("x", out, np.array([1, 4, 9])) == 10
    assert out.tolist() == whole[[1, 4, 9]].tolist()
