"""What a client keeps between rounds, in one file beside its csv: its people's own parts. It is never sent.

A client that was stopped goes on from this file. A file of another run is not used.
"""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tacit.core.node_state import Ratings
from tacit.interop.flower.rules.base import Person
from tacit.simulator import checkpoint


def file_of(csv: Path) -> Path:
    """Where a client with this csv keeps what it must keep."""
    return csv.with_suffix(".kept.npz")


def save(path: Path, run: int, seed: int, people: Sequence[Person]) -> None:
    """Write all of it; the file appears whole or not at all."""
    item, item_start = _joined([person.own.items for person in people])
    memory, memory_start = _joined([person.memory for person in people])
    arrays = {
        "run": np.array([run], np.uint64),
        "seed": np.array([seed], np.int64),
        "number": np.array([person.number for person in people], np.int64),
        "item": item,
        "item_start": item_start,
        "value": np.concatenate([person.own.values for person in people]),
        "private": np.stack([person.private for person in people]),
        "memory": memory,
        "memory_start": memory_start,
    }
    checkpoint.write(path, arrays)


def load(path: Path, run: int) -> tuple[int, list[Person]] | None:
    """The seed and the people of this run; None where there is no such file, or a damaged one."""
    try:
        with np.load(path, allow_pickle=False) as archive:
            kept = {name: archive[name] for name in archive.files}
        if int(kept["run"][0]) != run:
            return None
        people = zip(
            kept["number"].tolist(), pairwise(kept["item_start"]), pairwise(kept["memory_start"]),
            kept["private"], strict=True,
        )  # fmt: skip
        return int(kept["seed"][0]), [
            Person(number, Ratings(kept["item"][a:b], kept["value"][a:b]), private, kept["memory"][c:d])
            for number, (a, b), (c, d), private in people
        ]
    except (OSError, KeyError, ValueError, zipfile.BadZipFile):
        return None


def _joined(parts: Sequence[npt.NDArray[Any]]) -> tuple[npt.NDArray[Any], npt.NDArray[np.int64]]:
    return np.concatenate(parts), np.cumsum([0, *map(len, parts)])
