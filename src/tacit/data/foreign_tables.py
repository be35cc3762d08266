"""Tables of other libraries as polars frames: pandas, SciPy's sparse matrices, LensKit's data sets, Arrow tables.

They are known by what they can do. None of these libraries is imported here.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
import polars as pl

from tacit.core.errors import BadInput

KINDS = (
    "a known name, a path, a Dataset of tacit or LensKit, a polars or pandas frame, or a SciPy sparse matrix"
)


class PandasFrame(Protocol):
    """What is used of a pandas frame."""

    @property
    def columns(self) -> Any:
        """The names."""

    @property
    def index(self) -> Any:
        """The names of the rows."""


class SparseMatrix(Protocol):
    """What is used of a SciPy sparse matrix or array: users x items."""

    def tocoo(self) -> Any:
        """With one row and column number per entry."""


class LensKitDataset(Protocol):
    """What is used of a LensKit data set."""

    def interaction_table(self, *, format: str, original_ids: bool = False) -> Any:  # noqa: A002
        """Everybody's interactions."""


class ArrowTable(Protocol):
    """What is used of an Arrow table, whatever library it comes from."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


Table = PandasFrame | SparseMatrix | LensKitDataset | ArrowTable


def as_frame(data: object) -> tuple[pl.DataFrame, list[str]]:
    """A table as a polars frame, and notes for the reader.

    A sparse matrix has users as rows and items as columns, numbered from 0; its entries are ratings.
    """
    if isinstance(data, pl.DataFrame):
        return data, []
    if isinstance(data, pl.LazyFrame):
        return data.collect(), []
    if hasattr(data, "interaction_table"):
        columns = data.interaction_table(format="numpy", original_ids=True)
        return pl.DataFrame([_series(name, values) for name, values in columns.items()]), []
    if hasattr(data, "tocoo"):
        return _matrix(data.tocoo())
    if hasattr(data, "columns") and hasattr(data, "index"):
        return _pandas(data), []
    if hasattr(data, "__arrow_c_stream__") and not hasattr(data, "to_frame"):  # a series has no columns
        return pl.DataFrame(data), []
    raise BadInput("data", got=f"a {type(data).__module__}.{type(data).__qualname__}", allowed=KINDS)


def has_order(data: object) -> bool:
    """Whether the rows stand in an order of their own; a matrix and a LensKit data set sort theirs by id."""
    return not (hasattr(data, "tocoo") or hasattr(data, "interaction_table"))


def _matrix(entries: Any) -> tuple[pl.DataFrame, list[str]]:
    values = np.asarray(entries.data)
    if values.dtype.kind == "c":
        raise BadInput("data", got="a matrix of complex numbers", allowed="one of real numbers")
    there = values != 0
    frame = pl.DataFrame(
        {
            "user": np.asarray(entries.row)[there].astype(np.int64),
            "item": np.asarray(entries.col)[there].astype(np.int64),
            "rating": values[there].astype(np.float64),
        }
    )
    zeros = int((~there).sum())
    return frame, [f"{zeros:,} entries of the matrix are 0 and left out"] if zeros else []


def _pandas(data: Any) -> pl.DataFrame:
    if any(name is not None for name in data.index.names):
        data = data.reset_index()
    names = [str(name) for name in data.columns]
    return pl.DataFrame([_series(name, _plain(data.iloc[:, n])) for n, name in enumerate(_unlike(names))])


def _unlike(names: list[str]) -> list[str]:
    """A second column of one name is called as polars calls it when it reads a file."""
    seen: dict[str, int] = {}
    found = []
    for name in names:
        seen[name] = seen.get(name, -1) + 1
        found.append(f"{name}_duplicated_{seen[name] - 1}" if seen[name] else name)
    return found


def _plain(column: Any) -> Any:
    """A column of pandas as an array that polars takes: categories as what they stand for, times as UTC."""
    if getattr(column.dtype, "tz", None) is not None:
        column = column.dt.tz_convert("UTC").dt.tz_localize(None)
    if column.dtype.kind in "iufbM" and hasattr(column.dtype, "itemsize") and not column.hasnans:
        return column.to_numpy()
    if column.dtype.kind in "fM":  # with gaps: polars takes NaT, and NaN is looked for later
        return column.to_numpy()
    return column.astype(object).where(column.notna(), None).to_numpy()


def _series(name: str, values: Any) -> pl.Series:
    values = np.asarray(values)
    try:
        if values.dtype.kind == "M":
            return pl.Series(name, values.astype("datetime64[us]"))
        return pl.Series(name, values.tolist() if values.dtype.kind == "O" else values)
    except (TypeError, pl.exceptions.PolarsError):
        raise BadInput(f"column {name}", got="values of several kinds", allowed="one kind, or text") from None
