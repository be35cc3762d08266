import numpy as np
import polars as pl
import pytest

from tacit.core.errors import BadInput
from tacit.data.dataset import load
from tacit.data.sequences import sequences

VISITS = pl.DataFrame(
    {
        "user": ["a", "a", "a", "a", "b", "b"],
        "item": ["x", "y", "x", "z", "y", "z"],
        "timestamp": [30, 20, 10, 40, 7, 5],
        "lat": [40.0, 41.0, 40.0, 42.0, 41.0, 42.0],
        "lon": [-74.0, -74.0, -74.0, -73.0, -74.0, -73.0],
    }
)


def test_visits_are_in_order_of_time_with_repeats_and_without_what_is_held_out() -> None:
    data = load(VISITS, duplicates="latest")
    x, y, z = (data.item_ids.tolist().index(name) for name in "xyz")
    found = sequences(data, data.table)
    a = slice(found.start[0], found.start[1])
    assert found.item[a].tolist() == [x, y, x, z]
    assert found.time[a].tolist() == [10, 20, 30, 40]
    assert found.item[found.start[1] :].tolist() == [z, y]
    assert found.lat[[x, y, z]].tolist() == [40, 41, 42]
    train = data.table.take(data.table.item != y)
    assert sequences(data, train).item.tolist() == [x, x, z, z]


def test_without_times_or_coordinates_one_clear_line() -> None:
    data = load(VISITS.drop("timestamp"), duplicates="latest")
    with pytest.raises(BadInput, match=r"^model: got prme-g, but no visit has a time; allowed: .*timestamp"):
        sequences(data, data.table)
    data = load(VISITS.drop("lat", "lon"), duplicates="latest")
    with pytest.raises(
        BadInput, match=r"^model: got prme-g, but no place has coordinates; allowed: .*lat and lon"
    ):
        sequences(data, data.table)


def test_a_few_places_without_coordinates_are_counted() -> None:
    some = VISITS.with_columns(
        pl.when(pl.col("item") == "z").then(None).otherwise(pl.col("lat")).alias("lat")
    )
    data = load(some, duplicates="latest")
    found = sequences(data, data.table)
    assert np.isnan(found.lat).sum() == 1
    assert found.notes == ("1 of 3 places have no coordinates: no distance weight for them",)
