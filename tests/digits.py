"""A data set of images like MNIST, small and easy: eight classes of noisy 4 x 4 pictures."""

from __future__ import annotations

import gzip
import struct
from pathlib import Path

import numpy as np

from tacit.core.rng import Stream, uniforms
from tacit.data.sources.known_datasets import SOURCES


def write_idx(path: Path, array: np.ndarray) -> None:
    header = struct.pack(f">HBB{array.ndim}I", 0, 8, array.ndim, *array.shape)
    path.write_bytes(gzip.compress(header + array.astype(np.uint8).tobytes()))


def write_digits(folder: Path, train: int = 400, test: int = 200) -> None:
    """The four files of `mnist` in FOLDER/mnist."""
    (folder / "mnist").mkdir(parents=True)
    files = iter(SOURCES["mnist"].files)
    for part, count in enumerate((train, test)):
        labels = np.arange(count) % 8
        noise = uniforms(part, Stream.SYNTHETIC, 0, count, 16) * 100
        noise[np.arange(count), labels * 2] = 255
        noise[noise < 50] = 0
        write_idx(folder / "mnist" / next(files), noise.reshape(count, 4, 4))
        write_idx(folder / "mnist" / next(files), labels)
