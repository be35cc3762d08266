"""Parts that are defined in a cell of a notebook, without a file or a package, work in a simulation."""

from __future__ import annotations

import linecache
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tacit
from tacit.core.errors import BadInput
from tacit.experiment.audit import audit
from tacit.protocols.gossip.protocol import Gossip
from tacit.testing import check_merge, check_model
from tacit.testing.protocol_kit import small_scenario
from tests.docs.pages import files, page

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
    exec(compile(text, name, "exec", dont_inherit=True), scope)
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


SMALL = {"data.users": 30, "data.items": 40, "data.interactions": 400, "rounds": 3}
PAGE = {
    Path(name).stem: text
    for name, text in files(page("guide/extending.md")).items()
    if name.startswith("my_package/")
}


def run(recipe: str | None = None, **given: Any) -> tacit.Result:
    settings = {**SMALL, **given.pop("settings", {})}
    return tacit.run(recipe, "synthetic", settings=settings, progress=False, **given)


@pytest.mark.parametrize(
    ("cell", "name", "kind"),
    [
        ("item_mean", "ItemMean", "model"),
        ("cautious", "Cautious", "merge"),
        ("first_half", "FirstHalf", "peers"),
        ("rounding", "Rounding", "shield"),
        ("ring", "Ring", "protocol"),
        ("last_one", "LastOne", "split"),
        ("auc", "Auc", "evaluate"),
        ("best_rated", "BestRated", "baseline"),
    ],
)
def test_every_kind_of_part_of_a_cell_runs_without_a_package(cell: str, name: str, kind: str) -> None:
    """The page's examples, typed into cells."""
    made = run_cell(10, PAGE[cell])[name]
    part = made if kind == "evaluate" else made()
    result = run("baseline" if kind == "baseline" else "hegedus/gossip-merge", **{kind: part})
    assert all(np.isfinite(value) for value in result.metrics.values())
    assert "@" in str(result.parameters[kind])
    # The same cell again is the same code: same name, same bits.
    again = run_cell(11, PAGE[cell])[name]
    second = run(
        "baseline" if kind == "baseline" else "hegedus/gossip-merge",
        **{kind: again if kind == "evaluate" else again()},
    )
    assert (second.metrics, second.parameters) == (result.metrics, result.parameters)


def test_a_protocol_of_a_cell_needs_no_recipe() -> None:
    ring = run_cell(12, PAGE["ring"])["Ring"]
    result = run(protocol=ring(hops=2))
    assert result.recipe.startswith("ring@")
    assert result.parameters["hops"] == 2


def test_a_metric_and_an_attack_of_a_cell() -> None:
    top1 = run_cell(13, PAGE["top1"])["top1"]
    assert 0 <= run("baseline", settings={"evaluate.metric": top1}).metrics["top1@10"] <= 1
    attack = run_cell(14, PAGE["last_ages"])["LastAges"]
    found = audit("gossip", "synthetic", {**SMALL, "attack": attack})
    assert found.findings[1].attacker == "whoever has the device, by ages"


def test_settings_of_a_cell_count_and_fields_that_are_none_are_refused() -> None:
    cautious = run_cell(15, PAGE["cautious"])["Cautious"]
    assert run("hegedus/gossip-merge", merge=cautious(trust=0.25)).parameters["merge.trust"] == 0.25
    mine = run_cell(16, CELL)["Mine"]
    run("hegedus/gossip-merge", model=mine())
    with pytest.raises(
        BadInput, match=r"got pull=0.9; allowed: a field declared with setting.*<cell 16>, line"
    ):
        run("hegedus/gossip-merge", model=mine(pull=0.9))


def test_a_mistake_in_a_cell_has_its_line() -> None:
    wrong = run_cell(17, CELL.replace("def learn(node, own, draws, hyper)", "def learn(node, own)"))["Mine"]
    with pytest.raises(BadInput, match=r"got learn\(node, own\); allowed: .*\(<cell 17>, line \d+\)"):
        run("hegedus/gossip-merge", model=wrong())
    slow = run_cell(18, CELL.replace("node.ages[i] += 1", "node.ages.append(1)"))["Mine"]
    with pytest.raises(
        BadInput, match=r"cannot compile: Unknown attribute 'append' .*\(<cell 18>, line 28\)"
    ):
        run("hegedus/gossip-merge", model=slow())


def test_a_run_with_a_cell_is_resumed_with_the_same_code_only(tmp_path: Path) -> None:
    given: dict[str, Any] = {"recipe": "hegedus/gossip-merge", "out": tmp_path}
    first = run(model=run_cell(19, CELL)["Mine"](), **given)
    assert "class Mine, <cell 19>" in (tmp_path / "parts.json").read_text()
    again = run(model=run_cell(20, CELL)["Mine"](), resume=True, **given)
    assert again.metrics == first.metrics
    other = run_cell(21, CELL.replace("hyper.pull * ", "2 * hyper.pull * "))["Mine"]
    with pytest.raises(
        BadInput, match=r"resume: model: got mine@\w+; allowed: mine@\w+, as in the saved run"
    ):
        run(model=other(), resume=True, **given)
