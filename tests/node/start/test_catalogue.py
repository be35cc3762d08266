"""Keys of a data set's items are the keys that imports give."""

from __future__ import annotations

import pytest

from tacit.core.errors import BadInput
from tacit.core.interactions import Interactions
from tacit.node.start.catalogue import catalogue_of, merged


def test_titles_give_the_keys_that_an_import_gives() -> None:
    found = catalogue_of(
        ["1", "2", "3", "4", "film:t:grey hours:2001"],
        ["Night Ferry, The (2010)", "Salt Road", "The Night Ferry (2010)", None, ""],
        [None, 1998, None, None, None],
    )
    assert found.keys == [
        "film:t:night ferry:2010", "film:t:salt road:1998", "csv:4", "film:t:grey hours:2001",
    ]  # fmt: skip
    assert found.titles == ["The Night Ferry (2010)", "Salt Road (1998)", "4", "Grey Hours (2001)"]
    assert found.years == [2010, 1998, None, 2001]
    assert found.places.tolist() == [0, 1, 0, 2, 3]


def test_other_kinds_and_what_cannot_be_named() -> None:
    assert catalogue_of(["1"], ["Paper Boats: A Novel"], [None], "book").keys == ["book:t:paper boats:-"]
    assert catalogue_of(["1"], ["Blue Orchard"], [None], "artist").keys == ["artist:t:blue orchard"]
    assert catalogue_of(["\x00"], [None], [None]).places.tolist() == [-1]
    with pytest.raises(BadInput, match="kind: got opera; allowed: film"):
        catalogue_of(["1"], ["x"], [None], "opera")


def test_of_two_items_of_one_key_the_higher_rating_counts() -> None:
    table = Interactions.from_pairs([0, 0, 0, 1], [0, 1, 2, 1], [2, 4, 5, 3], users=2, items=3)
    catalogue = catalogue_of(["a", "b", "\x00"], ["Salt Road (1998)"] * 2 + [None], [None] * 3)
    whole = merged(table, catalogue)
    assert whole.items == 1
    assert whole.of(0)[1].tolist() == [4]
    assert whole.of(1)[1].tolist() == [3]
