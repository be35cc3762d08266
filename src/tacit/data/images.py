"""Labelled images (MNIST) dealt to agents: a "user" is an agent, an "item" an image, a "rating" its label."""

from __future__ import annotations

import gzip
import hashlib
import struct
import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import polars as pl

from tacit.core.errors import BadInput
from tacit.core.interactions import Interactions
from tacit.core.rng import Stream, permutation
from tacit.data.dataset import Dataset
from tacit.data.sources.download import Progress
from tacit.data.sources.known_datasets import SOURCES
from tacit.data.sources.locate import find
from tacit.data.splits import Split

Pixels = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class Images:
    """What agents learn from, by item number, and what everybody is tested on."""

    train: Pixels
    test: Pixels
    test_label: npt.NDArray[np.uint8]


def is_images(data: object) -> bool:
    """Whether this is the name of a data set of images."""
    return isinstance(data, str) and data in SOURCES and SOURCES[data].parse is None


def load_images(
    name: str, agents: int, each: int, seed: int, progress: Progress | None = None
) -> tuple[Dataset, Split, Images]:
    """Deal `agents` x `each` training images, drawn at random; the test images stay together."""
    folder = find(name, progress)
    pixels, labels, test, test_label = (read_idx(folder / file) for file in SOURCES[name].files)
    count = agents * each
    if not 1 <= count <= len(pixels):
        raise BadInput(
            "data.agents x data.images", got=f"{count:,} images", allowed=f"1 to {len(pixels):,}", where=name
        )
    chosen = permutation(seed, Stream.SPLIT, 0, 0, len(pixels))[:count]
    owner = np.repeat(np.arange(agents), each)
    table = Interactions.from_pairs(owner, np.arange(count), labels[chosen], users=agents, items=count)
    ids = [str(i) for i in chosen]
    events = pl.DataFrame({"user": owner, "item": np.arange(count), "rating": labels[chosen].astype(float)})
    dataset = Dataset(
        name=name,
        sha256=_digest(folder, SOURCES[name].files),
        table=table,
        user_ids=np.array([f"agent {n}" for n in range(agents)]),
        item_ids=np.array(ids),
        events=events.with_columns(timestamp=pl.lit(None, pl.Int64)),
        items=pl.DataFrame({"item": ids}),
        scale=(float(labels.min()), float(labels.max())),
        notes=[f"{count:,} of {len(pixels):,} training images, {each:,} for each of {agents:,} agents"],
    )
    # No parameter belongs to an image: a catalogue of one row of no numbers, and everybody's test part is the same.
    train = Interactions(table.start, table.item, table.value, None, table.order, items=1)
    parts = Split(train, train.take(np.zeros(count, np.bool_)), None, "images", {"seed": float(seed)})
    flat = pixels.reshape(len(pixels), -1)
    return dataset, parts, Images(flat[chosen], test.reshape(len(test), -1), test_label)


def read_idx(path: Path) -> Pixels:
    """An array of bytes in the idx format: magic (0, 0, 8, dimensions), big-endian sizes, the bytes."""
    try:
        raw = gzip.decompress(path.read_bytes())
        zero, kind, dimensions = struct.unpack_from(">HBB", raw)
        shape = struct.unpack_from(f">{dimensions}I", raw, 4)
        if (zero, kind) != (0, 8):
            raise ValueError("not bytes")
        return np.frombuffer(raw, np.uint8, offset=4 + 4 * dimensions).reshape(shape)
    except (OSError, EOFError, ValueError, struct.error, zlib.error) as problem:
        raise BadInput(
            "images", got=str(problem) or "a damaged file", allowed="an idx file (.gz)", where=path
        ) from None


def _digest(folder: Path, names: tuple[str, ...]) -> str:
    digest = hashlib.sha256()
    for name in names:
        digest.update((folder / name).read_bytes())
    return digest.hexdigest()
