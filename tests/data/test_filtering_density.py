import polars as pl
import pytest

from tacit.data.dataset import load
from tacit.data.filtering import keep_density
from tacit.experiment.prepare import prepare

COUNTS = [2] * 6 + [10] * 5 + [40] * 4
ROWS = pl.DataFrame(
    {
        "user": [f"u{u:02}" for u, count in enumerate(COUNTS) for _ in range(count)],
        "item": [f"i{i}" for count in COUNTS for i in range(count)],
    }
)


@pytest.mark.parametrize(
    ("density", "users"), [("dense", range(11, 15)), ("sparse", range(6)), ("all", range(15))]
)
def test_the_busiest_and_the_quietest_are_found(density: str, users: range) -> None:
    kept, notes = keep_density(ROWS, density)
    assert sorted(kept["user"].unique()) == [f"u{u:02}" for u in users]
    assert bool(notes) == (density != "all")


def test_items_nobody_has_any_more_are_gone_and_the_reader_is_told() -> None:
    data = load(ROWS, density="sparse")
    assert (data.table.users, data.table.items) == (6, 2)
    assert data.notes == ["sparse users: 6 of 15, 2 items, sparsity 0.00"]


def test_it_is_a_setting_of_every_recipe() -> None:
    whole, dense = (prepare("baseline/popular", "synthetic", {"data.density": d}) for d in ("all", "dense"))
    assert dense.dataset.users < whole.dataset.users
    assert dense.dataset.table.counts.mean() > whole.dataset.table.counts.mean()
