"""The held-out stream: the order in which test cases come, mixed or in segments by class (Dymbe 2021, section 3.5)."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tacit.core.interactions import Ints
from tacit.core.rng import Stream, permutation


def stream(labels: npt.NDArray[Any], bias: float, seed: int) -> Ints:
    """Every case once. A share `bias` of each class comes in that class's own segment, the rest is spread over all.

    0: all mixed; 1: class after class. Inside a segment the order is random.
    """
    mixed = permutation(seed, Stream.ORDER, 0, 0, len(labels))
    classes = np.unique(labels)
    segments: list[list[int]] = [[] for _ in classes]
    rest: list[int] = []
    for s, label in enumerate(classes):
        cases = mixed[labels[mixed] == label]
        own = round(bias * len(cases))
        segments[s].extend(cases[:own])
        rest.extend(cases[own:])
    spread = np.array(rest, np.int64)[permutation(seed, Stream.ORDER, 0, 1, len(rest))]
    for s, part in enumerate(np.array_split(spread, len(classes))):
        segments[s].extend(part)
    return np.concatenate(
        [
            np.array(segment, np.int64)[permutation(seed, Stream.ORDER, 0, 2 + s, len(segment))]
            for s, segment in enumerate(segments)
        ]
    )
