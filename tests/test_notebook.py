"""Parts that are defined in a cell of a notebook, without a file or a package, work in a simulation."""

from __future__ import annotations

import linecache
from dataclasses import replace
from typing import Any

import numpy as np

from tacit.protocols.gossip.protocol import Gossip
from tacit.testing import check_merge, check_model
from tacit.testing.protocol_kit import small_scenario

CELL = """
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from tacit.extending import Field, Kernels, Visibility, kernel


class Hyper(NamedTuple):
    pull: np.float32


@kernel
def init_rows(seed, node, rows, dense, hyper):
    rows[:] = 3


@kernel
def init_private(seed, node, private, hyper):
    private[0] = 0


@kernel
def learn(node, own, draws, hyper):
    for n in range(len(own.items)):
        i = own.items[n]
        node.ages[i] += 1
        node.rows[i, 0] += hyper.pull * (own.values[n] - node.rows[i, 0])


@kernel
def score(rows, dense, private, item, hyper):
    return rows[item, 0]


@kernel
def unseen(private, hyper):
    return 3.0


@dataclass(frozen=True)
class Mine:
    pull: float = 0.5
    name: ClassVar[str] = "mine"
    row_width: ClassVar[int] = 1
    dense_size: ClassVar[int] = 0
    private_size: ClassVar[int] = 1
    kernels: ClassVar[Kernels] = Kernels(init_rows, init_private, learn, score, unseen)
    fields: ClassVar[tuple[Field, ...]] = (
        Field("rows", Visibility.SHARED, "means"),
        Field("ages", Visibility.SHARED, "how often each row was updated"),
        Field("clock", Visibility.SHARED, "how often the model was updated"),
        Field("private", Visibility.PRIVATE, "nothing"),
    )

    def hyper(self):
        return Hyper(np.float32(self.pull))


@kernel
def weight(age, their_age, shape):
    return np.float32(0) if their_age <= 0 else np.float32(their_age) / np.float32(age + their_age)


@dataclass(frozen=True)
class Mean:
    name: ClassVar[str] = "mean"
    shape: ClassVar[float] = 0.0

    @property
    def weight(self):
        return weight
"""


def run_cell(number: int, text: str) -> dict[str, Any]:
    """As a notebook does: a name that is no file, and the source kept in memory."""
    name = f"<cell {number}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    scope: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(text, name, "exec"), scope)
    return scope


def test_a_model_and_a_merge_of_a_cell_pass_their_kits() -> None:
    cell = run_cell(1, CELL)
    check_model(cell["Mine"]())
    check_merge(cell["Mean"]())


def ended(cell: dict[str, Any]) -> np.ndarray[Any, Any]:
    simulation = Gossip(merge=cell["Mean"]()).build(replace(small_scenario(), model=cell["Mine"]()))
    simulation.advance(4 * simulation.period)
    return simulation.fleet.slots.rows[simulation.fleet.slot]


def test_a_cell_that_was_changed_and_run_again_is_what_counts() -> None:
    """Also where the simulator's own loops around it are on disk from the last time."""
    first, again = ended(run_cell(2, CELL)), ended(run_cell(3, CELL))
    assert np.array_equal(first, again)
    other = ended(run_cell(4, CELL.replace("own.values[n] - node.rows", "2 * own.values[n] - node.rows")))
    assert not np.array_equal(first, other)
    assert other.mean() > first.mean() + 0.5
    assert np.array_equal(first, ended(run_cell(5, CELL)))
