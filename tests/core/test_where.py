"""Places in somebody's own code."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tacit.core.where import is_foreign, is_ours, place, where_defined, where_raised
from tacit.merges.age_average import weight


class Somewhere:
    """Here."""


def test_classes_objects_functions_and_kernels_have_a_place() -> None:
    assert where_defined(Somewhere).endswith("test_where.py, line 14")
    assert where_defined(Somewhere()).endswith("test_where.py, line 14")
    assert where_defined(weight).endswith("age_average.py, line 17")
    assert "line" in where_defined(test_classes_objects_functions_and_kernels_have_a_place)


def test_a_cell_of_a_notebook_is_known_by_its_functions() -> None:
    scope: dict[str, type] = {"__name__": "__main__"}  # type: ignore[dict-item]
    exec(compile("\n\nclass Cell:\n    def f(self): pass\nclass Bare: pass\n", "<cell 3>", "exec"), scope)
    assert where_defined(scope["Cell"]) == "<cell 3>, line 4"
    assert where_defined(scope["Bare"]) == "class Bare"


def test_an_error_is_placed_in_ones_own_code() -> None:
    with pytest.raises(TypeError) as caught:
        Path(3)  # type: ignore[arg-type]
    assert where_raised(caught.value).endswith("test_where.py, line 34")
    with pytest.raises(SyntaxError) as wrong:
        compile("a b", "mine.py", "exec")
    assert where_raised(wrong.value) == "mine.py, line 1"
    assert where_raised(ValueError()) == ""


def test_what_is_ours_or_a_librarys_is_not_foreign() -> None:
    import numba

    import tacit.core.where

    assert is_foreign(__file__)
    assert not is_foreign(tacit.core.where.__file__)
    assert not is_foreign(numba.__file__)


def test_the_shorter_path_is_shown(tmp_path: Path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.chdir(tmp_path)
    assert place(str(tmp_path / "mine.py"), 3) == "mine.py, line 3"
    assert place("/x.py", 3) == "/x.py, line 3"


def test_of_two_classes_of_one_name_each_has_its_own_line() -> None:
    def first() -> type:
        class Twin:
            def one(self) -> None: ...

        return Twin

    def second() -> type:
        class Twin:
            def two(self) -> None: ...

        return Twin

    lines = [int(where_defined(made()).rsplit(" ", 1)[1]) for made in (first, second)]
    assert lines == [first.__code__.co_firstlineno + 1, second.__code__.co_firstlineno + 1]


def test_nothing_is_parsed_since_python_3_11_cannot_in_several_threads(monkeypatch) -> None:  # type: ignore[no-untyped-def]
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("parsed")

    monkeypatch.setattr(ast, "parse", refuse)
    assert where_defined(Somewhere).endswith("test_where.py, line 14")


def test_ours_is_what_is_defined_inside_tacit() -> None:
    import numpy as np

    from tacit.merges.age_average import AgeAverage

    assert all(map(is_ours, (is_ours, AgeAverage, AgeAverage(), weight)))
    assert not any(map(is_ours, (state_of_nothing, Somewhere, Somewhere(), np.zeros(1), 3)))


def state_of_nothing() -> None:
    """A function of somebody else."""
