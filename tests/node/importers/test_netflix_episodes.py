from __future__ import annotations

import pytest

from tacit.node.importers.netflix import works


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Night Ferry", ("film", "Night Ferry")),
        ("Night Ferry: The Return", ("film", "Night Ferry: The Return")),
        ("Harbour: Part 2", ("film", "Harbour: Part 2")),
        ("Salt Road: Season 1: The Pier", ("series", "Salt Road")),
        ("Salt Road: Staffel 2: Der Pier", ("series", "Salt Road")),
        ("Salt Road: Part 3: The Pier", ("series", "Salt Road")),
        ("Salt Road: Limited Series: The Pier", ("series", "Salt Road")),
        ("Salt: Road: Season 1: The Pier", ("series", "Salt: Road")),
        ("Salt Road: The Pier (Episode 4)", ("series", "Salt Road")),
        ("Salt Road: Season 1", ("series", "Salt Road")),
        (" : Episode 10", ("series", "")),
    ],
)
def test_one_title(title: str, expected: tuple[str, str]) -> None:
    assert works({title}) == {title: expected}


def test_many_that_begin_alike_are_a_series() -> None:
    episodes = {f"Salt Road: Night {i}" for i in range(4)}
    assert set(works(episodes).values()) == {("series", "Salt Road")}
    trilogy = {f"Salt Road: Night {i}" for i in range(3)}
    assert {kind for kind, _ in works(trilogy).values()} == {"film"}
