"""What a client keeps between rounds, beside its csv: its people's own parts. They are never sent.

Every run has a file of its own. A client that was stopped goes on from it.
"""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tacit.core.node_state import Ratings
from tacit.interop.flower.rules.base import Person
from tacit.simulator import checkpoint


class Kept(NamedTuple):
    """A client between two rounds."""

    seed: int
    people: list[Person]
    token: str
    """By which the server knows the client again."""


def file_of(csv: Path, run: int) -> Path:
    """Where a client with this csv keeps what it must keep. Runs at the same time do not share it."""
    return csv.with_suffix(f".{run}.kept.npz")


def save(path: Path, run: int, seed: int, people: Sequence[Person], token: str) -> None:
    """Write all of it; the file appears whole or not at all."""
    item, item_start = _joined([person.own.items for person in people])
    memory, memory_start = _joined([person.memory for person in people])
    arrays = {
        "run": np.array([run], np.uint64),
        "seed": np.array([seed], np.int64),
        "token": np.array([token]),
        "number": np.array([person.number for person in people], np.int64),
        "item": item,
        "item_start": item_start,
        "value": np.concatenate([person.own.values for person in people]),
        "private": np.stack([person.private for person in people]),
        "memory": memory,
        "memory_start": memory_start,
    }
    checkpoint.write(path, arrays)


def load(path: Path, run: int) -> Kept | None:
    """What was kept of this run; None where there is no such file, or a damaged one."""
    try:
        with np.load(path, allow_pickle=False) as archive:
            kept = {name: archive[name] for name in archive.files}
        if int(kept["run"][0]) != run:
            return None
        people = zip(
            kept["number"].tolist(), pairwise(kept["item_start"]), pairwise(kept["memory_start"]),
            kept["private"], strict=True,
        )  # fmt: skip
        found = [
            Person(number, Ratings(kept["item"][a:b], kept["value"][a:b]), private, kept["memory"][c:d])
            for number, (a, b), (c, d), private in people
        ]
        return Kept(int(kept["seed"][0]), found, str(kept["token"][0]))
    except (OSError, KeyError, ValueError, zipfile.BadZipFile):
        return None


def _joined(parts: Sequence[npt.NDArray[Any]]) -> tuple[npt.NDArray[Any], npt.NDArray[np.int64]]:
    return np.concatenate(parts), np.cumsum([0, *map(len, parts)])
