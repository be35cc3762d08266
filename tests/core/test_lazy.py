"""Names are imported when they are used, and every stub tells the same names as its package."""

import ast
from pathlib import Path

import pytest

import tacit
from tacit import extending, testing
from tacit.core.lazy import lazy_names


def test_a_name_that_does_not_exist_is_an_attribute_error() -> None:
    get, names = lazy_names("somewhere", {"math": "pi"})
    assert names == ["pi"]
    with pytest.raises(AttributeError, match="module 'somewhere' has no attribute 'e'"):
        get("e")


@pytest.mark.parametrize("module", [tacit, extending, testing], ids=lambda module: module.__name__)
def test_a_stub_has_the_names_of_its_package(module) -> None:  # type: ignore[no-untyped-def]
    stub = Path(module.__file__).with_suffix(".pyi")
    found = {
        alias.asname
        for node in ast.parse(stub.read_text()).body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert found == set(module.__all__) - {"__version__"}
    for name in module.__all__:
        assert getattr(module, name) is not None
