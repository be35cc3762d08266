"""All nodes' state as a few large arrays, and versions of it that messages can point to.

A model of 47 KB is not copied when it is sent. Its slot is marked as in flight, and the owner writes its next version
into another slot. So a node-round touches three model states (own, received, result) and nothing more.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tacit.core.compiled.compiling import kernel
from tacit.core.interactions import Interactions, Ints, Positions, Values
from tacit.core.node_state import Ages, Floats, NodeArrays, NodeState, Ratings
from tacit.models.base import MemorySizes, Model, memory_sizes
from tacit.simulator.partition import ALONE, Partition


class Slots(NamedTuple):
    """Versions of models: slot s holds rows[s], ages[s], dense[s], clock[s].

    With `storage=float16` rows are words of half precision, which kernels have no type for, and ages have 16 bits too.
    """

    rows: npt.NDArray[np.floating]
    ages: npt.NDArray[np.int32]
    dense: npt.NDArray[np.floating]
    clock: Ints


class Local(NamedTuple):
    """Every node's own data, and what its optimizer remembers: node u has item[start[u]:start[u+1]]."""

    start: Ints
    item: Positions
    value: Values
    memory: Floats
    memory_start: Ints


class Fleet(NamedTuple):
    """The state of all nodes: `slot[u]` says which version is node u's current one."""

    slots: Slots
    slot: npt.NDArray[np.int32]
    private: Floats

    def node(self, u: int) -> NodeState:
        """One node's state, as views."""
        s, at = self.slots, self.slot[u]
        return NodeState(as_numbers(s.rows[at]), s.ages[at], s.dense[at], int(s.clock[at]), self.private[u])


def as_numbers(rows: npt.NDArray[Any]) -> npt.NDArray[np.floating]:
    """Rows of slots for everything but kernels: words of half precision as a copy in single precision."""
    return rows.view(np.float16).astype(np.float32) if rows.dtype == np.uint16 else rows


@kernel
def node_of(slots: Slots, at: int, private: Floats, data: Local, u: int) -> NodeArrays:
    """Node u with the model in slot `at`, as views."""
    memory = data.memory[data.memory_start[u] : data.memory_start[u + 1]]
    return NodeArrays(slots.rows[at], slots.ages[at], slots.dense[at], private[u], memory)


@kernel
def ratings_of(data: Local, u: int) -> Ratings:
    """Node u's own data, as views."""
    own = slice(data.start[u], data.start[u + 1])
    return Ratings(data.item[own], data.value[own])


class Storage(NamedTuple):
    """How numbers are kept in arrays of nodes."""

    rows: npt.DTypeLike
    ages: npt.DTypeLike
    rest: npt.DTypeLike
    """Dense and private parts, and what optimizers remember."""


def storage(dtype: npt.DTypeLike) -> Storage:
    """What `storage` stands for."""
    if np.dtype(dtype) == np.float16:
        return Storage(np.uint16, np.uint16, np.float32)
    return Storage(dtype, np.int32, dtype)


def empty_slots(count: int, items: int, model: Model, dtype: npt.DTypeLike) -> Slots:
    """Room for `count` versions. Pages that are never written cost no memory."""
    kept = storage(dtype)
    return Slots(
        rows=np.zeros((count, items, model.row_width), kept.rows),
        ages=np.zeros((count, items), kept.ages),
        dense=np.zeros((count, model.dense_size), kept.rest),
        clock=np.zeros(count, np.int64),
    )


def local(
    table: Interactions,
    model: Model | None = None,
    dtype: npt.DTypeLike = "float32",
    partition: Partition = ALONE,
) -> Local:
    """A table as the loops want it; with a model also room for its optimizer's memory, of the nodes that are here."""
    sizes = MemorySizes() if model is None else memory_sizes(model)
    start = partition.only_own(memory_starts(sizes, table.start, table.items))
    return Local(table.start, table.item, table.value, np.zeros(start[-1], storage(dtype).rest), start)


def memory_starts(sizes: MemorySizes, start: Ints, items: int) -> Ints:
    """Where each node's memory begins, and at last where all ends, for nodes whose data begin at `start`."""
    starts: Ints = np.arange(len(start)) * sizes.total(0, items) + start * sizes.rating
    return starts


class Turn(NamedTuple):
    """When nodes learn, and for how long: the randomness of a turn is that of (seed, node, turn)."""

    seed: int
    number: int
    epochs: int


class Parcels(NamedTuple):
    """Copied payloads: parcel p holds rows `places[p]` up to the first -1. Empty when messages point to versions."""

    places: Positions
    rows: Floats
    ages: Ages
    dense: Floats
    clock: Ints


def as_saved(name: str, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """An array of slots or parcels as files have it: rows of 16-bit words are numbers of half precision there."""
    return array.view(np.float16) if name == "rows" and array.dtype == np.uint16 else array
