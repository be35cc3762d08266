"""Splits: training, validation and test parts, user by user.

A user's parts depend on the seed, the user's position and the user's own interactions, never on other users.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
import numpy.typing as npt

from tacit.core.compiled.compiling import kernel
from tacit.core.errors import BadInput, unknown
from tacit.core.interactions import Interactions, Ints
from tacit.core.rng import Stream, sample
from tacit.core.settings import flatten
from tacit.core.where import where_defined

KINDS = ("random-n", "random-share", "temporal")
DEFAULT_SHARE = {"random-share": 0.15, "temporal": 0.2}
TRAIN, TEST, VALIDATION = 0, 1, 2
_STREAM = Stream.SPLIT
Parts = npt.NDArray[np.int8]


@dataclass(frozen=True, slots=True, eq=False)
class Split:
    """Parts of one table: together all of it, and disjoint unless visits are divided."""

    train: Interactions
    test: Interactions
    validation: Interactions | None
    kind: str
    parameters: Mapping[str, float | str]
    """n or share, and the seed; where it is given by a file, that file."""
    notes: list[str] = field(default_factory=list)
    visits: Parts | None = None
    """Where visits are divided (`visit_split.py`): the part of each row of the source."""

    def to_json(self) -> dict[str, object]:
        """The contract's "split" object: kind, its parameters and the sizes of the parts."""
        sizes = {"train": len(self.train), "test": len(self.test)}
        if self.validation is not None:
            sizes["validation"] = len(self.validation)
        return {"kind": self.kind, **self.parameters, **sizes}


def split(
    table: Interactions,
    kind: str,
    *,
    seed: int,
    n: int = 10,
    share: float | None = None,
    validation: bool = False,
    weighting: bool = False,
) -> Split:
    """Divide every user's interactions.

    `random-n`: n random ones are the test part; a user with n or fewer has none, for something must be left
    to learn from. `random-share`: floor(share * count) random ones (default 0.15). `temporal`: the latest
    floor(share * count) (default 0.2).

    A validation part comes out of the training part. It has as many as the test part, or with `temporal` the latest
    floor(share * rest). It is empty where nothing would be left to train on. `weighting` is another word for it:
    the PEPPER paper's set on which a node weighs the models it receives.

        parts = split(data.table, "random-n", seed=0, n=10)
    """
    if kind not in KINDS:
        raise unknown("split", kind, KINDS)
    counts = table.counts
    if kind == "random-n":
        if n < 1:
            raise BadInput("split.n", got=n, allowed="a whole number from 1")
        held: Ints = np.where(counts > n, n, 0)
        parameters: dict[str, float | str] = {"n": n, "seed": seed}
    else:
        share = DEFAULT_SHARE[kind] if share is None else share
        if not 0.0 < share < 1.0:
            raise BadInput("split.share", got=share, allowed="a number between 0 and 1")
        held = _floor(share, counts)
        parameters = {"share": share, "seed": seed}
    checked: Ints = np.zeros_like(held)
    if validation or weighting:
        rest = counts - held
        checked = _floor(share or 0.0, rest) if kind == "temporal" else held
        checked = np.where(checked < rest, checked, 0)
    without = int((held == 0).sum())
    if without == len(counts):
        least = n + 1 if kind == "random-n" else int(np.ceil(1.0 / (share or 1.0)))
        raise BadInput(
            f"split {kind} gives no user a test part",
            got=f"at most {int(counts.max(initial=0))} interactions per user",
            allowed=f"users with at least {least}, or a smaller part: --set split.n=1, split.share=0.5",
        )
    notes = (
        [f"{without:,} of {len(counts):,} users have too few interactions for a test part"] if without else []
    )
    drawn = kind != "temporal"
    part = _random(seed, table.start, held, checked) if drawn else _latest(table, held, checked)
    return Split(
        train=table.take(part == TRAIN),
        test=table.take(part == TEST),
        validation=table.take(part == VALIDATION) if validation or weighting else None,
        kind=kind,
        parameters=parameters,
        notes=notes,
    )


def validation_of(train: Interactions, held: Ints, seed: int) -> tuple[Interactions, Interactions]:
    """A training part, and the validation part taken out of it: as many rows of a user as are `held` out for the test.

    A user who would have nothing left to train on has none.
    """
    checked = np.where(held < train.counts, held, 0)
    part = _random(seed, train.start, np.zeros_like(checked), checked)
    return train.take(part == TRAIN), train.take(part == VALIDATION)


def everything(table: Interactions) -> Split:
    """All of it to train on, where nothing is measured."""
    none = table.take(np.zeros(len(table), np.bool_))
    return Split(table, none, None, "none", {})


class Splitter(Protocol):
    """A split of one's own: a frozen dataclass of its settings. A module holds it as `split`."""

    def held_out(self, table: Interactions, seed: int) -> npt.NDArray[np.bool_]:
        """Which interactions are the test part. For a validation part it is asked again, about the rest."""
        ...


def split_by(
    splitter: Splitter, kind: str, table: Interactions, seed: int, *, validation: bool = False
) -> Split:
    """Divide a table as a split of somebody's own says."""
    test = _held_out(splitter, kind, table, seed)
    if not test.any() or test.all():
        got = "all interactions in the test part" if test.any() else "no test part"
        raise BadInput(f"split {kind}", got=got, allowed="something to learn from and something to measure")
    train, held = table.take(~test), table.take(test)
    checked = None
    if validation:
        second = _held_out(splitter, kind, train, seed)
        train, checked = train.take(~second), train.take(second)
    without = int((held.counts == 0).sum())
    notes = [f"{without:,} of {table.users:,} users have no test part"] if without else []
    own = {key: value for key, value in flatten(splitter).items() if isinstance(value, int | float)}
    return Split(train, held, checked, kind, {**own, "seed": seed}, notes)


def _held_out(splitter: Splitter, kind: str, table: Interactions, seed: int) -> npt.NDArray[np.bool_]:
    found = np.asarray(splitter.held_out(table, seed))
    if found.shape != (len(table),) or found.dtype != np.bool_:
        got = f"{found.dtype} of shape {found.shape} from held_out"
        allowed = f"true or false for each of {len(table)} interactions"
        raise BadInput(f"split {kind}", got=got, allowed=allowed, where=where_defined(type(splitter)))
    return found


def _floor(share: float, counts: Ints) -> Ints:
    # 0.29 * 100 is 28.999999999999996 in floating point, and means 29.
    return np.asarray(np.floor(share * counts + 1e-9), dtype=np.int64)


def _latest(table: Interactions, held: Ints, checked: Ints) -> Parts:
    """By age within the user: training, then validation, then test."""
    user = table.user
    place = np.lexsort((table.order, user))
    from_end = np.empty(len(table), np.int64)
    from_end[place] = table.start[user + 1] - 1 - np.arange(len(table))
    test = from_end < held[user]
    validation = ~test & (from_end < (held + checked)[user])
    return (test * TEST + validation * VALIDATION).astype(np.int8)


@kernel
def _random(seed: int, start: Ints, held: Ints, checked: Ints) -> Parts:
    part = np.zeros(start[-1], np.int8)
    for user in range(len(held)):
        first, count = start[user], start[user + 1] - start[user]
        chosen = np.zeros(count, np.bool_)
        sample(seed, _STREAM, user, 0, count, held[user], chosen)
        rest = count - held[user]
        second = np.zeros(rest, np.bool_)
        sample(seed, _STREAM, user, 1, rest, checked[user], second)
        left = 0
        for entry in range(count):
            if chosen[entry]:
                part[first + entry] = TEST
            else:
                if second[left]:
                    part[first + entry] = VALIDATION
                left += 1
    return part
