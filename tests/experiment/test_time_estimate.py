from __future__ import annotations

import pytest

from tacit.experiment.time_estimate import NANOSECONDS, rough_seconds
from tests.experiment.running import small


def test_every_node_merges_a_model_and_learns_once_a_round() -> None:
    """Six hours are 12.5 rounds of 1,728 seconds; a row has 6 numbers, the program two threads."""
    x = small()
    rows = 12.5 * (40 * 60 + len(x.split.train))
    found = rough_seconds(x, threads=2)
    assert found == pytest.approx(rows * 6 * NANOSECONDS["gossip"] * 1e-9 / 2)
    assert rough_seconds(x, threads=1, ranks=2) == found


def test_where_a_tenth_travels_there_are_ten_times_as_many_rounds() -> None:
    x = small("hegedus/gossip-10")
    rows = 125 * (40 * 6 + len(x.split.train))
    assert rough_seconds(x, 1) == pytest.approx(rows * 6 * NANOSECONDS["gossip of some rows"] * 1e-9)


@pytest.mark.parametrize(
    ("recipe", "settings"),
    [("pepper/pepper", {"rounds": 4}), ("pepper/fedavg", {"rounds": 4}), ("hegedus/federated", {})],
)
def test_twice_as_long_takes_twice_as_long(recipe: str, settings: dict[str, int]) -> None:
    once, twice = small(recipe, **settings), small(recipe, **(dict.fromkeys(settings, 8) or {"hours": 12}))
    first, second = rough_seconds(once, 1), rough_seconds(twice, 1)
    assert first is not None
    assert second == pytest.approx(2 * first)


def test_pairs_are_counted_by_the_triple_and_use_one_core() -> None:
    x = small("fpl/sfpl", hours=None, epochs=3)
    triples = 3 * len(x.split.train)
    found = rough_seconds(x, threads=2)
    assert found == pytest.approx(
        triples * x.model.row_width * NANOSECONDS["federated-pairs"] * 1e-9, rel=0.05
    )


def test_a_loop_that_was_never_measured_has_no_guess() -> None:
    assert rough_seconds(small("tacit/federated"), 1) is None
    assert rough_seconds(small("fpl/sfpl"), 1) is None, "hours of single clients"
