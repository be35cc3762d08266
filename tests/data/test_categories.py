import polars as pl
import pytest

from tacit.core.errors import BadInput
from tacit.data.categories import TOPS, item_categories, top_category
from tacit.data.dataset import Dataset, load


@pytest.mark.parametrize(
    ("fine", "top"),
    [
        ("Train Station", "Travel & Transport"),
        ("Hotel", "Travel & Transport"),
        ("Hotel Bar", "Nightlife Spot"),
        ("Juice Bar", "Food"),
        ("College Cafeteria", "College & University"),
        ("Nursery School", "Professional & Other Places"),
        ("Planetarium", "Arts & Entertainment"),
        ("Park", "Outdoors & Recreation"),
        ("Home (private)", "Residence"),
        ("Bookstore", "Shop & Service"),
    ],
)
def test_fine_categories(fine: str, top: str) -> None:
    assert top_category(fine) == top


def test_top_categories_are_their_own() -> None:
    assert [top_category(top) for top in TOPS] == list(TOPS)


def rows(**more: list[str | None]) -> Dataset:
    return load(pl.DataFrame({"user": ["a", "a", "b"], "item": ["x", "y", "x"], **more}))


def test_categories_of_any_data() -> None:
    names, label = item_categories(rows(category=["Jazz", None, "Jazz"]))
    assert (names, label.tolist()) == (["Jazz"], [0, -1])


def test_without_a_category_column_one_clear_line() -> None:
    with pytest.raises(
        BadInput, match=r"^evaluate.bias: got no item category; allowed: data with a column category"
    ):
        item_categories(rows())
