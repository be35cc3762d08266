import polars as pl

from tacit.data.features import item_features


def test_genres_and_categories_by_item() -> None:
    items = pl.DataFrame(
        {"genres": ["Drama|Comedy", None, "Drama", ""], "category": [None, "Bar", "Bar", None]}
    )
    found = item_features(items)
    assert found.names == ["category Bar", "genres Comedy", "genres Drama"]
    assert found.start.tolist() == [0, 2, 3, 5, 5]
    assert found.feature.tolist() == [1, 2, 0, 0, 2]


def test_nothing_known() -> None:
    found = item_features(pl.DataFrame({"item": ["a", "b"]}))
    assert (found.names, found.start.tolist()) == ([], [0, 0, 0])
