"""A file with a number for each user: columns user,NAME, such as user,pi or user,triples. Users may be missing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt
import polars as pl

from tacit.core.errors import BadInput
from tacit.core.interactions import Texts


def read_per_user(
    column: str, value: str, user_ids: Texts, fits: Callable[[float], bool], allowed: str
) -> npt.NDArray[np.float64]:
    """Every user's number, not a number where the file has none; `fits` says which numbers are `allowed`."""
    path = Path(value).expanduser()
    rows = read_columns(column, path, ("user", column))
    each = np.full(len(user_ids), np.nan)
    place = {str(user): n for n, user in enumerate(user_ids.tolist())}
    for user, text in rows.iter_rows():
        if user not in place:
            raise BadInput(column, got=f"user {user}", allowed="users of the data set", where=path)
        number = _number(text)
        if number is None or not fits(number):
            raise BadInput(column, got=f"{text} for user {user}", allowed=allowed, where=path)
        if not np.isnan(each[place[user]]):
            raise BadInput(column, got=f"user {user} twice", allowed="each user once", where=path)
        each[place[user]] = number
    return each


def missing_note(each: npt.NDArray[np.float64], value: str, means: str) -> list[str]:
    """A sentence about users that the file does not have, where there are any."""
    missing = int(np.isnan(each).sum())
    name = Path(value).name
    return [f"{missing:,} of {len(each):,} users are not in {name}: {means}"] if missing else []


def read_columns(what: str, path: Path, columns: tuple[str, ...]) -> pl.DataFrame:
    """These columns of a .csv, .tsv or .parquet file, as text; one clear line where that cannot be."""
    allowed = f"a .csv, .tsv or .parquet file with columns {','.join(columns)}"
    suffix = path.suffix.lower()
    try:
        if suffix == ".parquet":
            rows = pl.read_parquet(path)
        else:
            rows = pl.read_csv(path, separator="\t" if suffix == ".tsv" else ",", infer_schema=False)
    except (OSError, pl.exceptions.PolarsError):
        raise BadInput(what, got=path, allowed=allowed, where="it cannot be read") from None
    if not set(columns) <= set(rows.columns):
        raise BadInput(what, got=f"columns {', '.join(rows.columns)}", allowed=allowed, where=path)
    return rows.select(pl.col(name).cast(pl.String) for name in columns)


def _number(text: str | None) -> float | None:
    try:
        return None if text is None else float(text)
    except ValueError:
        return None
