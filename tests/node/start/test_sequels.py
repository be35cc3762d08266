"""No ten sequels in a list."""

from __future__ import annotations

import pytest

from tacit.node.catalogue.item_keys import film_key
from tacit.node.start.sequels import at_most, story_of


@pytest.mark.parametrize(
    ("title", "story"),
    [
        ("Salt Road (1990)", "salt road"),
        ("Salt Road II (1990)", "salt road"),
        ("Salt Road 2: The Pier (1990)", "salt road"),
        ("Salt Road: Going Home (1990)", "salt road"),
        ("Salt Road Part III (1990)", "salt road"),
        ("Salt Road, Part 2 (1990)", "salt road"),
        ("Salt Road IV - Again (1990)", "salt road"),
        ("2001: A Space Odyssey (1990)", "2001"),
        ("12 Monkeys (1990)", "12 monkeys"),
        ("$ (1990)", "$"),
    ],
)
def test_parts_of_a_story_have_a_name_in_common(title: str, story: str) -> None:
    assert story_of("film:t:x:1990", title) == story


def test_a_list_has_two_of_a_story_and_goes_on() -> None:
    titles = [
        "Salt Road II",
        "Salt Road Returns",
        "Salt Road",
        "Night Ferry",
        "Salt Road III",
        "Heat",
        "Heat Wave",
    ]
    items = [(film_key(title, 1990), f"{title} (1990)", title) for title in titles]
    assert list(at_most(items)) == ["Salt Road II", "Salt Road Returns", "Night Ferry", "Heat", "Heat Wave"]
    assert list(at_most([("book:t:salt road:-", "Salt Road", "book"), *items]))[:2] == [
        "book",
        "Salt Road II",
    ]
