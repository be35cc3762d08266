"""Large arrays to and from disk without a second copy in memory: a .npz file, written and read piece by piece."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
_PIECE = 32 * 2**20


@dataclass(frozen=True, slots=True)
class Picked:
    """Some rows of an array, `source[index]`, gathered only when they are written."""

    source: Array
    index: Array


Arrays = Mapping[str, Array | Picked]


def write(path: Path, arrays: Arrays) -> None:
    """Write a .npz file; it appears whole or not at all."""
    scratch = path.with_name(f".{path.name}.part")
    try:
        with zipfile.ZipFile(scratch, "w", zipfile.ZIP_STORED, allowZip64=True) as archive:
            for name, array in arrays.items():
                with archive.open(f"{name}.npy", "w", force_zip64=True) as out:
                    _write_array(cast(io.BytesIO, out), array)
        scratch.replace(path)
    finally:
        scratch.unlink(missing_ok=True)


def _write_array(out: io.BytesIO, array: Array | Picked) -> None:
    picked = (
        array
        if isinstance(array, Picked)
        else Picked(np.atleast_1d(array), np.arange(len(np.atleast_1d(array))))
    )
    source, index = picked.source, picked.index
    header = {
        "descr": np.lib.format.dtype_to_descr(source.dtype),
        "fortran_order": False,
        "shape": (len(index), *source.shape[1:]),
    }
    np.lib.format.write_array_header_2_0(out, header)
    row = source.dtype.itemsize * int(np.prod(source.shape[1:]))
    step = max(1, _PIECE // max(1, row))
    for at in range(0, len(index), step):
        out.write(np.ascontiguousarray(source[index[at : at + step]]).tobytes())


class Reader:
    """The arrays of a .npz file, by name. Checksums of the file are verified as its parts are read."""

    def __init__(self, path: Path) -> None:
        self._archive = zipfile.ZipFile(path)

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, *_: object) -> None:
        self._archive.close()

    def __contains__(self, name: str) -> bool:
        return f"{name}.npy" in self._archive.namelist()

    def __getitem__(self, name: str) -> Array:
        """A whole array."""
        with self._archive.open(f"{name}.npy") as file:
            return np.lib.format.read_array(cast(io.BytesIO, file), allow_pickle=False)

    def row(self, name: str, place: int) -> Array:
        """One row of an array, without holding the others."""
        with self._archive.open(f"{name}.npy") as file:
            stream = cast(io.BytesIO, file)
            np.lib.format.read_magic(stream)
            shape, _, dtype = np.lib.format.read_array_header_2_0(stream)
            if not 0 <= place < shape[0]:
                raise IndexError(place)
            size = dtype.itemsize * int(np.prod(shape[1:]))
            stream.seek(place * size, io.SEEK_CUR)
            found = np.frombuffer(stream.read(size), dtype).reshape(shape[1:])
            return np.array(found)

    def into(self, name: str, out: Array) -> int:
        """Read an array into the first rows of `out`; how many rows it had."""
        with self._archive.open(f"{name}.npy") as file:
            stream = cast(io.BytesIO, file)
            np.lib.format.read_magic(stream)
            shape, _, dtype = np.lib.format.read_array_header_2_0(stream)
            if dtype != out.dtype or shape[1:] != out.shape[1:] or shape[0] > len(out):
                raise ValueError(f"{name} has shape {shape} of {dtype}")
            row = dtype.itemsize * int(np.prod(shape[1:]))
            step = max(1, _PIECE // max(1, row))
            for at in range(0, shape[0], step):
                rows = min(step, shape[0] - at)
                piece = stream.read(rows * row)
                if len(piece) != rows * row:
                    raise ValueError(f"{name} ends early")
                out[at : at + rows] = np.frombuffer(piece, dtype).reshape(rows, *shape[1:])
            if stream.read(1):
                raise ValueError(f"{name} is longer than its header says")
            return int(shape[0])
