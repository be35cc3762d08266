"""Parts by name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path
from typing import Any, ClassVar

import pytest

from tacit.core import registry
from tacit.core.errors import BadInput
from tacit.core.settings import UnitInterval, setting
from tacit.merges import Polynomial
from tacit.merges.age_average import merge
from tacit.models import MF
from tacit.protocols import Gossip
from tests.core.outside_merge import Mine


def test_built_in_parts_are_found_by_the_name_of_their_file() -> None:
    assert registry.find("tacit.merges", "merge", "age-average") is merge
    assert {"age-average", "none"} <= set(registry.offered("tacit.merges", "merge"))
    assert "base" not in registry.offered("tacit.merges", "merge")


def test_an_unknown_name_is_told_what_there_is_and_what_comes_near() -> None:
    with pytest.raises(BadInput, match=r"merge: got age-avarage; .*did you mean age-average\?.*none"):
        registry.find("tacit.merges", "merge", "age-avarage")


@pytest.mark.parametrize("name", ["base", "", "../core", "age_average", "__init__"])
def test_what_is_no_part_is_not_found(name: str) -> None:
    with pytest.raises(BadInput, match="known"):
        registry.find("tacit.merges", "merge", name)


def test_outside_parts_come_by_entry_point(monkeypatch: pytest.MonkeyPatch) -> None:
    outside(monkeypatch, mine="tests.core.outside_merge")
    assert registry.find("tacit.merges", "merge", "mine") is Mine
    assert registry.offered("tacit.merges", "merge")["mine"] is Mine
    assert set(registry.added("tacit.merges", "merge")) == {"mine"}
    assert "mine" not in registry.offered("tacit.models", "model")
    assert registry.named("merge", Mine) == "mine", "an object of it has the same name"


@pytest.mark.parametrize(
    ("name", "module", "says"),
    [
        (
            "other",
            "tests.core.outside_merge",
            "merge other: got name = 'mine' in its class; allowed: the same name",
        ),
        ("gone", "tests.core.nosuch", "merge gone cannot be loaded: ModuleNotFoundError: No module named"),
        (
            "bare",
            "tacit.core.errors",
            "merge bare: tacit.core.errors has no `merge`; allowed: a line such as merge =",
        ),
        ("exits", "ends_the_program", "merge exits cannot be loaded: SystemExit: 3"),
    ],
)
def test_a_broken_outside_part_says_why_and_stops_no_listing(
    name: str, module: str, says: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "ends_the_program.py").write_text("import sys\nsys.exit(3)\n")
    monkeypatch.syspath_prepend(tmp_path)
    outside(monkeypatch, **{name: module, "mine": "tests.core.outside_merge"})
    with pytest.raises(BadInput, match=re.escape(says)):
        registry.find("tacit.merges", "merge", name)
    assert set(registry.added("tacit.merges", "merge")) == {"mine"}
    assert list(registry.broken("tacit.merges", "merge")) == [name]
    assert name not in registry.offered("tacit.merges", "merge")
    with pytest.raises(BadInput, match=rf"known: age-average, .*{name} \(broken: {re.escape(says[:20])}"):
        registry.find("tacit.merges", "merge", "nobodys")
    assert registry.find("tacit.merges", "merge", "age-average") is merge


def test_tacits_own_names_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    outside(monkeypatch, **{"age-average": "tests.core.outside_merge"})
    assert registry.find("tacit.merges", "merge", "age-average") is merge
    assert registry.offered("tacit.merges", "merge")["age-average"] is merge
    assert "got the name of one of tacit's own" in registry.broken("tacit.merges", "merge")["age-average"]


def test_objects_are_spelled_out_and_built_again() -> None:
    flat = registry.spelled_out("protocol", Gossip(merge=Polynomial(degree=3.0), subsample=0.1))
    assert (flat["protocol"], flat["merge"], flat["merge.degree"]) == ("gossip", "polynomial", 3.0)
    assert registry.construct(Gossip, flat) == Gossip(merge=Polynomial(degree=3.0), subsample=0.1)
    assert registry.spelled_out("model", MF(k=8))["model.k"] == 8
    assert registry.spelled_out("model", MF) == {"model": "mf"}, "a class says nothing of its settings"
    with pytest.raises(BadInput, match=r"got scale=\(1.0, 9.0\); allowed: a field declared with setting"):
        registry.spelled_out("model", MF(scale=(1.0, 9.0)))


@dataclass(frozen=True)
class Half:
    share: UnitInterval = setting(0.5, "of a received row")
    name: ClassVar[str] = "half"
    weight: Any = merge().weight
    shape: ClassVar[float] = 0.0


def test_a_class_without_a_package_has_a_hash_in_its_name_and_is_found_by_it() -> None:
    flat = registry.spelled_out("merge", Half(share=0.25))
    assert re.fullmatch(r"half@[0-9a-f]{8}", str(flat["merge"]))
    assert registry.find("tacit.merges", "merge", str(flat["merge"])) is Half
    assert registry.construct(Half, flat, "merge.") == Half(share=0.25)
    assert "test_registry.py, line" in str(registry.origin("merge", str(flat["merge"])))
    assert registry.origin("merge", "age-average") is None


def outside(monkeypatch: pytest.MonkeyPatch, **where: str) -> None:
    """Packages that add merges."""
    found = EntryPoints([EntryPoint(name, module, "tacit.merges") for name, module in where.items()])
    monkeypatch.setattr(registry, "_outside", lambda group: found.select(group=group))


def test_modules_without_the_attribute_are_passed_over() -> None:
    found = registry.offered("tacit.merges", "merge")
    assert found["age-average"] is merge
    assert "base" not in found
