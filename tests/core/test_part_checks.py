"""Our own parts pass the checks that others' parts must pass; mistakes are in tests/test_own_parts.py."""

from __future__ import annotations

import pytest

from tacit.core.part_checks import NEEDS, check_part
from tacit.core.registry import KINDS, offered

ALL = [(kind, name) for kind in KINDS for name in offered(*KINDS[kind])]


@pytest.mark.parametrize(("kind", "name"), ALL)
def test_our_own_parts_have_all_that_is_needed(kind: str, name: str) -> None:
    part = offered(*KINDS[kind])[name]
    assert check_part(KINDS[kind][1], part, kind) is part


def test_every_kind_has_its_needs() -> None:
    assert {"source", *(attribute for _, attribute in KINDS.values())} == set(NEEDS)
    assert check_part("picture", 3, "picture") == 3, "what is not in the table is not checked"
