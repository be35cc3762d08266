"""Disclosure pi: the share of updates about own items that a user discloses; one for all, or a file with one each."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import polars as pl

from tacit.core.errors import BadInput
from tacit.core.interactions import Texts
from tacit.core.settings import Value

_ALLOWED = "a .csv, .tsv or .parquet file with columns user,pi"


def read_pi(value: Value, user_ids: Texts) -> tuple[npt.NDArray[np.float64] | None, list[str]]:
    """Every user's pi (None where all disclose all), and notes for the reader. Users not in a file disclose all."""
    if not isinstance(value, str):
        pi = 1.0 if value is None else float(value)
        return (None if pi == 1 else np.full(len(user_ids), pi)), []
    path = Path(value).expanduser()
    rows = _read(path)
    place = {str(user): n for n, user in enumerate(user_ids.tolist())}
    each = np.ones(len(user_ids))
    for user, pi in rows.iter_rows():
        if str(user) not in place:
            raise BadInput("pi", got=f"user {user}", allowed="users of the data set", where=path)
        if pi is None or not 0 <= pi <= 1:
            raise BadInput(
                "pi", got=f"{pi} for user {user}", allowed="a number from 0, at most 1", where=path
            )
        each[place[str(user)]] = pi
    missing = len(each) - rows["user"].n_unique()
    return each, [f"{missing:,} of {len(each):,} users are not in {path.name}: pi 1"] if missing else []


def _read(path: Path) -> pl.DataFrame:
    suffix = path.suffix.lower()
    try:
        if suffix == ".parquet":
            rows = pl.read_parquet(path)
        else:
            rows = pl.read_csv(path, separator="\t" if suffix == ".tsv" else ",", infer_schema=False)
    except (OSError, pl.exceptions.PolarsError):
        raise BadInput("pi", got=path, allowed=_ALLOWED, where="it cannot be read") from None
    if not {"user", "pi"} <= set(rows.columns):
        raise BadInput("pi", got=f"columns {', '.join(rows.columns)}", allowed=_ALLOWED, where=path)
    return rows.select(pl.col("user").cast(pl.String), pl.col("pi").cast(pl.Float64, strict=False))
