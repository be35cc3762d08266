import polars as pl

from tacit.data.dataset import load
from tacit.data.splits import split
from tacit.data.training_catalogue import only_training_items

FRAME = pl.DataFrame(
    {
        "user": ["ann"] * 5 + ["bob"] * 5,
        "item": ["a", "b", "c", "d", "z", "a", "b", "c", "y", "d"],
        "timestamp": [1, 2, 3, 4, 5] * 2,
    }
)


def test_items_that_only_the_test_part_has_are_left_out_of_everything() -> None:
    data = load(FRAME)
    parts = split(data.table, "temporal", seed=0)
    smaller, cut = only_training_items(data, parts)
    assert smaller.item_ids.tolist() == ["a", "b", "c", "d", "y"]
    assert smaller.items["item"].to_list() == ["a", "b", "c", "d", "y"]
    assert {smaller.table.items, cut.train.items, cut.test.items} == {5}
    assert (len(parts.train), len(cut.train)) == (8, 8)
    assert cut.test.counts.tolist() == [0, 1], "ann's z is gone, bob's d is not"
    assert smaller.item_ids[cut.test.of(1)[0]].tolist() == ["d"]
    named = zip(cut.train.user, smaller.item_ids[cut.train.item].tolist(), strict=True)
    whole = zip(parts.train.user, data.item_ids[parts.train.item].tolist(), strict=True)
    assert list(named) == list(whole)
    assert sorted(smaller.events["item"].unique().to_list()) == [0, 1, 2, 3, 4]
    assert cut.notes[-1] == (
        "the catalogue is that of the training part: 1 of 6 items are left out, "
        "and 1 of 2 test interactions with them"
    )


def test_nothing_changes_where_the_training_part_has_all_items() -> None:
    data = load(FRAME.with_columns(item=pl.Series(["a", "b", "c", "d", "e", "e", "d", "c", "b", "a"])))
    parts = split(data.table, "temporal", seed=0)
    assert only_training_items(data, parts) == (data, parts)


def test_a_validation_part_counts_as_training() -> None:
    data = load(FRAME)
    parts = split(data.table, "temporal", seed=0, share=0.25, validation=True)
    assert parts.validation is not None
    smaller, cut = only_training_items(data, parts)
    assert cut.validation is not None
    assert len(cut.validation) == len(parts.validation)
    assert "z" not in smaller.item_ids.tolist()
