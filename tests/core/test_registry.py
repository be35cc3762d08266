"""Parts by name."""

from __future__ import annotations

from importlib.metadata import EntryPoint, EntryPoints

import pytest

from tacit.core import registry
from tacit.core.errors import BadInput
from tacit.merges.age_average import merge


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
    mine = EntryPoints([EntryPoint("mine", "tacit.merges.none", "tacit.merges")])
    monkeypatch.setattr(registry, "_outside", lambda group: mine.select(group=group))
    assert registry.find("tacit.merges", "merge", "mine").name == "none"
    assert "mine" in registry.offered("tacit.merges", "merge")
    assert set(registry.added("tacit.merges", "merge")) == {"mine"}
    assert "mine" not in registry.offered("tacit.models", "model")
    assert registry.offered("tacit.merges", "merge")["mine"].name == "none"


def test_modules_without_the_attribute_are_passed_over() -> None:
    found = registry.offered("tacit.merges", "merge")
    assert found["age-average"] is merge
    assert "base" not in found
