"""What a model is: sizes, fields declared private or shared, and compiled functions on ONE node's arrays.

A model module holds a frozen dataclass of its parameters under the name `model`. Its kernels are module-level
functions, so that the simulator's parallel loops, a device and a distributed engine call the same code:

    init_rows(seed, node, rows, dense, hyper)          fill the shared part
    init_private(seed, node, private, hyper)           fill the person's part
    learn(node, own, draws, hyper)                     one pass over local data: `NodeArrays`, `Ratings`
    score(rows, dense, private, item, hyper) -> float  predicted rating, or ranking score
    unseen(private, hyper) -> float                    prediction for an item whose row this node never had
    init_data(private, items, values, start, hyper)    optional: start the person's part from their own data, and say
                                                       in start[n] where row items[n]'s last number, its bias, should
                                                       start (`init=data`)

Of a model that ranks instead of predicting ratings the class says so: `evaluate: ClassVar[str] = "full"`. It is how
its runs are measured unless that is set; without it by `rating`.

`items` are row positions ascending, `hyper` the model's numbers as a named tuple, `draws` = (seed, node, event) keys
the counter-based randomness of this pass. `node.memory` is what an optimizer remembers (`memory_sizes`), or None.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Protocol

from tacit.core.interactions import Ints
from tacit.core.node_state import Field, Visibility


@dataclass(frozen=True, slots=True)
class Kernels:
    """The compiled functions of a model."""

    init_rows: Callable[..., None]
    init_private: Callable[..., None]
    learn: Callable[..., None]
    score: Callable[..., float]
    unseen: Callable[..., float]
    init_data: Callable[..., None] | None = None
    looks_up: bool = False
    """Whether `learn` looks things up by item number (pixels, features), so that rows must not be renumbered."""


@dataclass(frozen=True, slots=True)
class Exchanged:
    """The compiled functions of a model whose rows come from sums over people (`protocols/push_sum/kernels.py`).

    `known` is what a node has learned of everybody: mean items per person, number of people, mean value, and what is
    left of masks. A value of -1 means not yet. A row has r numbers, the sums of an item at least r + 1. Number r is
    how many people have it (`sum_width`).
    """

    solve_own: Callable[..., None]
    """(rows, own_items, values, known, private, hyper): the person's part, exactly for these rows."""
    tell: Callable[..., None]
    """(private, own_items, values, rows, sums, outer, hyper): a person's statistics; `private` is solved for `rows`."""
    read_rows: Callable[..., None]
    """(sums, outer, weight, known, rows, hyper): new rows in place of those that the sums are about. What
    else the sums say goes into `known`."""


def exchanged(model: Model) -> Exchanged:
    """The compiled functions of a model whose rows come from sums."""
    given: Exchanged = model.exchanged  # type: ignore[attr-defined]
    return given


def vector_size(model: Model) -> int:
    """How many numbers of the private part are the person's vector; all of them where a model does not say.

    What stands behind the vector, such as the place where a person is, goes to nobody. A server that is sent user
    vectors does not get it either.
    """
    return int(getattr(model, "vector_size", model.private_size))


def sample_counts(model: Model) -> Ints | None:
    """How many samples each person learns from, by a model that does not learn from ratings but, say, from visits."""
    given: Ints | None = getattr(model, "sample_counts", None)
    return given


def sum_width(model: Model) -> int:
    """How many numbers an item has in the sums: one more than its row, unless the model says otherwise."""
    return int(getattr(model, "sum_width", model.row_width + 1))


def declare(rows: str, private: str, *, dense: str = "", memory: bool = True) -> tuple[Field, ...]:
    """A model's fields with what each holds. Item rows, ages, dense part and clock are shared, the rest is private."""
    shared, own = Visibility.SHARED, Visibility.PRIVATE
    return (
        Field("rows", shared, rows),
        Field("ages", shared, "how often each row was updated"),
        *((Field("dense", shared, dense),) if dense else ()),
        Field("clock", shared, "how often the model was updated"),
        Field("private", own, private),
        *((Field("memory", own, "what the optimizer remembers"),) if memory else ()),
    )


class MemorySizes(NamedTuple):
    """How many numbers an optimizer remembers, in this order in a node's `memory`. Most models need two of them."""

    person: int = 0
    """About what belongs to no item."""
    rating: int = 0
    """About each row the node has data about, where a model moves no others."""
    row: int = 0
    """About each row of the catalogue, where it does: it draws negatives."""

    def total(self, ratings: int, items: int) -> int:
        """What a node with this many ratings and rows remembers."""
        return self.person + self.rating * ratings + self.row * items


def memory_sizes(model: Model) -> MemorySizes:
    """What the model's optimizer remembers; nothing unless the model says so."""
    return MemorySizes(*getattr(model, "memory_sizes", ()))


class Model(Protocol):
    """A learning rule with its parameters."""

    name: ClassVar[str]
    kernels: ClassVar[Kernels]

    @property
    def fields(self) -> tuple[Field, ...]:
        """Its parts, each PRIVATE or SHARED; for most models a constant of the class."""
        ...

    @property
    def row_width(self) -> int:
        """r: numbers per row."""
        ...

    @property
    def dense_size(self) -> int:
        """D: numbers that belong to no item."""
        ...

    @property
    def private_size(self) -> int:
        """P: numbers that belong to the person."""
        ...

    def hyper(self) -> Any:
        """The numbers the kernels need, as a named tuple."""
        ...
