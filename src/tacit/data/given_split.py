"""A split that is given: by a column `split` of the data, or by a file that says where (user, item) pairs belong."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl

from tacit.core.errors import BadInput
from tacit.data.dataset import PARTS, UNKNOWN, Dataset
from tacit.data.files import sha256_of
from tacit.data.read_interactions import read_rows
from tacit.data.splits import TEST, TRAIN, VALIDATION, Parts, Split, validation_of

COLUMN = "split"
_WORDS = "train, test or validation"


def given_split(data: Dataset, file: str | None, *, seed: int, validation: bool) -> Split:
    """The parts as they are given. A pair that a file does not name is trained on.

    Validation rows are measured while tuning, and otherwise left alone. Where none are given, tuning holds as many of
    a user's training rows out as the user has test rows.
    """
    parts, notes = _of_column(data) if file is None else _of_file(data, Path(file).expanduser())
    if not (parts == TEST).any():
        raise BadInput(
            "split", got="given, without any test row", allowed=f"a column {COLUMN} with test in it"
        )
    if not (parts == TRAIN).any():
        allowed = f"train in some rows of a column {COLUMN}, or a split.file that leaves some pairs out"
        raise BadInput("split", got="given, without any training row", allowed=allowed)
    train, test = data.table.take(parts == TRAIN), data.table.take(parts == TEST)
    checked = data.table.take(parts == VALIDATION)
    if validation and not len(checked):
        train, checked = validation_of(train, test.counts, seed)
    elif len(checked) and not validation:
        notes.append(f"{len(checked):,} validation rows are neither trained on nor measured")
    nothing = int(((train.counts == 0) & (test.counts > 0)).sum())
    if nothing:
        notes.append(f"{nothing:,} users have test rows and nothing to train on")
    without = int((test.counts == 0).sum())
    if without:
        notes.append(f"{without:,} of {test.users:,} users have no test part")
    return Split(
        train=train,
        test=test,
        validation=checked if validation else None,
        kind="given",
        parameters={} if file is None else {"file": file, "sha256": sha256_of(Path(file).expanduser())},
        notes=notes,
    )


def parts_table(data: Dataset, parts: Split) -> pl.DataFrame:
    """Every pair with its part: user, item, rating, timestamp (where known), split. `split=given` reads it again."""
    if parts.visits is not None:
        raise BadInput(
            "split", got=parts.kind, allowed="a split of pairs, for a place may be in two parts here"
        )
    frames = []
    for name, table in (("train", parts.train), ("validation", parts.validation), ("test", parts.test)):
        if table is None:
            continue
        columns = [
            data.ids("user", table.user),
            data.ids("item", table.item),
            pl.Series("rating", table.value),
        ]
        if table.time is not None:
            columns.append(pl.Series("timestamp", table.time).replace(-1, None))
        order = pl.Series("order", table.order)
        frames.append(pl.DataFrame([*columns, order]).with_columns(pl.lit(name).alias(COLUMN)))
    # In order of time, for that is how equal times are told apart.
    return pl.concat(frames).sort("user", "order").drop("order")


def _of_column(data: Dataset) -> tuple[Parts, list[str]]:
    if data.given is None:
        raise BadInput(
            "split",
            got="given",
            allowed=f"data with a column {COLUMN}, or --set split.file=FILE",
            where=data.name,
        )
    said = data.events[COLUMN]
    odd = said.filter(~said.str.strip_chars().str.to_lowercase().is_in(list(PARTS)).fill_null(False))
    if len(odd):
        got = "nothing" if odd[0] is None else f'"{odd[0][:40]}"'
        raise BadInput(f"column {COLUMN}", got=f"{got} in {len(odd):,} rows", allowed=_WORDS, where=data.name)
    return data.given, []


def _of_file(data: Dataset, path: Path) -> tuple[Parts, list[str]]:
    rows = read_rows(path)
    users = {text: n for n, text in enumerate(data.user_ids.tolist())}
    items = {text: n for n, text in enumerate(data.item_ids.tolist())}
    pairs = rows.select(
        pl.col("user").cast(pl.String).replace_strict(users, default=None, return_dtype=pl.Int64),
        pl.col("item").cast(pl.String).replace_strict(items, default=None, return_dtype=pl.Int64),
        (
            pl.col(COLUMN).str.strip_chars().str.to_lowercase().replace_strict(PARTS, default=UNKNOWN)
            if COLUMN in rows.columns
            else pl.lit(TEST)
        )
        .cast(pl.Int8)
        .alias("part"),
    )
    odd = rows.filter(pairs["part"] == UNKNOWN)
    if len(odd):
        raise BadInput(f"column {COLUMN}", got=f'"{odd[COLUMN][0]}"', allowed=_WORDS, where=path)
    table = data.table
    keys = table.user.astype(np.int64) * table.items + table.item
    known = pairs.drop_nulls()
    wanted = (known["user"] * table.items + known["item"]).to_numpy()
    at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    found = keys[at] == wanted
    if not found.any():
        raise BadInput(
            "split.file", got="no pair that is in the data", allowed="its own users and items", where=path
        )
    parts = np.full(len(table), TRAIN, np.int8)
    parts[at[found]] = known["part"].to_numpy()[found]
    lost = len(pairs) - int(found.sum())
    return parts, [f"{lost:,} of {len(pairs):,} pairs in {path.name} are not in the data"] if lost else []
