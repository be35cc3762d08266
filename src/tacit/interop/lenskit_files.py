"""A run in LensKit's own formats: its data, training and test part, and everybody's recommendations.

    from lenskit.data import Dataset, ItemListCollection
    train = Dataset.load("DIR/train")
    test = ItemListCollection.load_parquet("DIR/test.parquet")
    run = ItemListCollection.load_parquet("DIR/recommendations.parquet")

The formats are those of LensKit 2025 (schema version 2025.3). LensKit is not needed to write them.
"""

from __future__ import annotations

from os import SEEK_END
from pathlib import Path
from typing import Any

import polars as pl

from tacit.core.errors import BadInput
from tacit.core.interactions import Interactions
from tacit.data.dataset import Dataset
from tacit.data.files import write_table
from tacit.experiment.run_folder import open_folder, write_json
from tacit.experiment.trained import Trained

_SCHEMA = "2025.3"
FILES = ("data", "train", "test.parquet", "recommendations.parquet")


def export_run(trained: Trained, out: Path, k: int = 10) -> dict[str, int]:
    """Write all of a run, and count rows and users. A folder that holds something is refused."""
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise BadInput("--out", got=out, allowed="a folder that is new or empty")
    data, parts = trained.experiment.dataset, trained.experiment.split
    lists = trained.lists(k)
    open_folder(out)
    _write_dataset(data, data.table, out / "data")
    _write_dataset(data, parts.train, out / "train")
    held = trained.experiment.held_out
    columns = [
        data.ids("user", held.user),
        data.ids("item", held.item),
        pl.Series("rating", held.value, pl.Float64),
    ]
    if held.time is not None:
        columns.append(pl.Series("timestamp", held.time))
    _write_lists(pl.DataFrame(columns), out / "test.parquet")
    _write_lists(lists, out / "recommendations.parquet")
    return {
        "interactions": len(data.table),
        "train": len(parts.train),
        "test": len(held),
        "users": lists["user"].n_unique(),
    }


def _write_dataset(data: Dataset, table: Interactions, folder: Path) -> None:
    """A folder that `lenskit.data.Dataset.load` reads: two entities, and one relationship between their numbers."""
    folder.mkdir()
    columns = {
        "user_num": pl.Series(table.user, dtype=pl.Int32),
        "item_num": pl.Series(table.item, dtype=pl.Int32),
        "rating": pl.Series(table.value, dtype=pl.Float64),
    }
    if table.time is not None:
        columns["timestamp"] = pl.Series(table.time)
    attribute = {"layout": "scalar", "vector_size": None}
    kinds = {
        what: "int" if whole else "str" for what, whole in zip(("user", "item"), data.whole_ids, strict=True)
    }
    schema: dict[str, Any] = {
        "version": _SCHEMA,
        "name": data.name,
        "default_interaction": "rating",
        "entities": {what: {"id_type": kinds[what], "attributes": {}} for what in ("item", "user")},
        "relationships": {
            "rating": {
                "entities": {"user": None, "item": None},
                "interaction": True,
                "repeats": "forbidden",
                "attributes": {name: attribute for name in columns if not name.endswith("_num")},
            }
        },
    }
    _write(data.ids("user").rename("user_id").to_frame(), folder / "user.parquet")
    _write(data.ids("item").rename("item_id").to_frame(), folder / "item.parquet")
    _write(pl.DataFrame(columns), folder / "rating.parquet")
    write_json(folder / "schema.json", schema)


def _write_lists(rows: pl.DataFrame, path: Path) -> None:
    """One row per user, with a list of items: LensKit's native layout of an item list collection."""
    items = pl.struct(pl.col("item").alias("item_id"), pl.exclude("user", "item")).alias("items")
    lists = rows.group_by("user", maintain_order=True).agg(items).rename({"user": "user_id"})
    _write(lists, path)


def _write(frame: pl.DataFrame, path: Path) -> None:
    """A parquet file whose texts are Arrow's plain strings, for LensKit takes no others as ids.

    Parquet has one kind of text. polars records in the footer (`ARROW:schema`) that it uses large strings. Readers
    ignore that record under another name.
    """
    write_table(frame, path)
    with path.open("r+b") as file:
        file.seek(-8, SEEK_END)
        size = int.from_bytes(file.read(4), "little")
        file.seek(-8 - size, SEEK_END)
        begin = file.tell()
        at = file.read(size).find(b"ARROW:schema")
        if at >= 0:
            file.seek(begin + at)
            file.write(b"POLAR:schema")
