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

from tacit.simulator.partition import ALONE, Partition

Array = npt.NDArray[Any]
_PIECE = 32 * 2**20


@dataclass(frozen=True, slots=True)
class Picked:
    """Some rows of an array, `source[index]`, gathered only when they are written.

    With a partition: those of every rank, in order of rank.
    """

    source: Array
    index: Array
    partition: Partition = ALONE

    def __len__(self) -> int:
        return self.partition.total(len(self.index))


Arrays = Mapping[str, Array | Picked]


def write(path: Path, arrays: Arrays, partition: Partition = ALONE) -> None:
    """Write a .npz file; it appears whole or not at all. The first rank writes, and all give what they have."""
    if not partition.first:
        for array in arrays.values():
            if isinstance(array, Picked):
                partition.follow()
                _write_array(_Nowhere(), array)
        partition.follow()
        return
    scratch = path.with_name(f".{path.name}.part")
    try:
        with zipfile.ZipFile(scratch, "w", zipfile.ZIP_STORED, allowZip64=True) as archive:
            for name, array in arrays.items():
                with archive.open(f"{name}.npy", "w", force_zip64=True) as out:
                    if isinstance(array, Picked):
                        partition.follow()
                    _write_array(cast(io.BytesIO, out), array)
        scratch.replace(path)
    except OSError:
        partition.follow(False)
        raise
    finally:
        scratch.unlink(missing_ok=True)
    partition.follow()


def _write_array(out: io.BytesIO, array: Array | Picked) -> None:
    picked = (
        array
        if isinstance(array, Picked)
        else Picked(np.atleast_1d(array), np.arange(len(np.atleast_1d(array))))
    )
    source = picked.source
    header = {
        "descr": np.lib.format.dtype_to_descr(source.dtype),
        "fortran_order": False,
        "shape": (len(picked), *source.shape[1:]),
    }
    np.lib.format.write_array_header_2_0(out, header)
    row = source.dtype.itemsize * int(np.prod(source.shape[1:]))
    step = max(1, _PIECE // max(1, row))
    for piece in picked.partition.pieces(source, picked.index, step):
        out.write(np.ascontiguousarray(piece).tobytes())


def whole(array: Array, partition: Partition) -> Picked:
    """All of an array that every rank has a stretch of."""
    return Picked(array, np.arange(len(array)), partition)


def own_part(arrays: Reader, name: str, out: Array, partition: Partition) -> None:
    """Read this rank's stretch of what `whole` wrote."""
    arrays.into(name, out, partition.before(len(out)) + np.arange(len(out)))


class _Nowhere(io.BytesIO):
    """Where ranks write that do not."""

    def write(self, _: Any) -> int:
        return 0


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

    def into(self, name: str, out: Array, index: Array | None = None) -> int:
        """Read an array into the first rows of `out`; how many rows it had. `index`: only these rows, ascending."""
        with self._archive.open(f"{name}.npy") as file:
            stream = cast(io.BytesIO, file)
            np.lib.format.read_magic(stream)
            shape, _, dtype = np.lib.format.read_array_header_2_0(stream)
            wanted = shape[0] if index is None else len(index)
            if dtype != out.dtype or shape[1:] != out.shape[1:] or wanted > len(out):
                raise ValueError(f"{name} has shape {shape} of {dtype}")
            row = dtype.itemsize * int(np.prod(shape[1:]))
            step = max(1, _PIECE // max(1, row))
            for at in range(0, shape[0], step):
                rows = min(step, shape[0] - at)
                piece = stream.read(rows * row)
                if len(piece) != rows * row:
                    raise ValueError(f"{name} ends early")
                found = np.frombuffer(piece, dtype).reshape(rows, *shape[1:])
                if index is None:
                    out[at : at + rows] = found
                else:
                    low, high = np.searchsorted(index, (at, at + rows))
                    out[low:high] = found[index[low:high] - at]
            if stream.read(1):
                raise ValueError(f"{name} is longer than its header says")
            return int(shape[0])
