from __future__ import annotations

import pytest

from tacit.core.errors import BadInput
from tacit.engines.dispatch import Dispatch
from tacit.engines.engine_names import engine_of


def test_one_process_needs_no_engine() -> None:
    assert engine_of() is None
    assert engine_of(jobs=1) is None
    assert isinstance(engine_of(jobs=2), Dispatch)
    assert isinstance(engine_of("ray:127.0.0.1:6379"), Dispatch)


@pytest.mark.parametrize(
    ("name", "jobs", "says"),
    [
        ("spark", None, "allowed: local, ray"),
        ("ray", 2, "one of the two"),
        ("mpi", None, "one large run"),
        ("local", 0, "from 1"),
    ],
)
def test_what_cannot_be(name: str, jobs: int | None, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        engine_of(name, jobs)
