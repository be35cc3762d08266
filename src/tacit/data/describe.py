"""Descriptive figures of a data set, the list of known data sets, and checking and converting a file."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tacit.core.errors import BadInput
from tacit.core.interactions import Interactions
from tacit.data.dataset import PARTS, UNKNOWN, Dataset
from tacit.data.duplicates import one_per_pair
from tacit.data.files import KINDS, write_table
from tacit.data.ids import positions
from tacit.data.read_interactions import Columns, at_least_two, read_rows
from tacit.data.sources.known_datasets import SOURCES
from tacit.data.sources.locate import find_local


def describe(data: Dataset) -> dict[str, object]:
    """Sizes, density, ratings, time span, activity, popularity, licence, citation, origin; ready for JSON."""
    table = data.table
    counts = table.counts
    known = SOURCES.get(data.name)
    found = find_local(data.name) if known else None
    return {
        **data.counts(),
        "events": len(data.events),
        "density": len(table) / (table.users * table.items),
        "rating": {"min": data.scale[0], "max": data.scale[1], "mean": float(table.value.mean())},
        "time": _span(table.time),
        "per_user": {"min": int(counts.min()), "median": float(np.median(counts)), "max": int(counts.max())},
        **_parts(data),
        "popularity_gini": gini(np.bincount(table.item, minlength=table.items)),
        "licence": known.licence if known else None,
        "citation": known.citation if known else None,
        "page": known.page if known else None,
        "found": found[0] if found else None,
        "notes": list(data.notes),
    }


def sizes(table: Interactions, records: int | None = None) -> dict[str, float]:
    """What papers print about a data set; `records` counts repeated visits, too.

    `items` are those that somebody has. Density is the share of all pairs that exist. Sparsity is 1 - density, as in
    PEPPER, equation 3: 1 - (mean items per user) / items.

    >>> table = Interactions.from_pairs([0, 0, 1], [0, 1, 0], users=2, items=5)
    >>> found = sizes(table, records=7)
    >>> found["items"], found["records"], found["per user"], found["density"], found["sparsity"]
    (2.0, 7.0, 1.5, 0.75, 0.25)
    """
    users, items, pairs = table.users, len(np.unique(table.item)), len(table)
    return {
        "users": float(users),
        "items": float(items),
        "records": float(pairs if records is None else records),
        "per user": pairs / users,
        "per item": pairs / items,
        "density": pairs / (users * items),
        "sparsity": 1 - pairs / users / items,
    }


def _parts(data: Dataset) -> dict[str, object]:
    """How the data's own column `split` divides it; nothing where there is none that `split=given` could use."""
    if data.given is None or (data.given == UNKNOWN).any():
        return {}
    names = {code: name for name, code in reversed(PARTS.items())}
    return {
        "split": {names[code]: int((data.given == code).sum()) for code in np.unique(data.given).tolist()}
    }


def gini(counts: npt.NDArray[np.int64]) -> float:
    """The Gini coefficient: 0 where all counts are equal, near 1 where one has everything."""
    n, total = len(counts), counts.sum()
    ranked = np.sort(counts)
    return float(((2 * np.arange(1, n + 1) - n - 1) * ranked).sum() / (n * total)) if total else 0.0


def list_sources() -> list[dict[str, object]]:
    """Every known data set: name, title, where it is (TACIT_DATA, cache, not here), licence."""
    rows: list[dict[str, object]] = []
    for source in SOURCES.values():
        found = find_local(source.name)
        rows.append(
            {
                "name": source.name,
                "title": source.title,
                "found": found[0] if found else "not here",
                "fetch": source.url is not None,
                "licence": source.licence,
                "remark": source.remark,
            }
        )
    made = {"name": "synthetic", "title": "invented ratings of any size", "found": "made on the spot"}
    rows.append({**made, "fetch": False, "licence": "free", "remark": ""})
    return rows


def prepare(
    in_path: str | Path, out_path: str | Path, *, duplicates: str = "auto", columns: Columns = None
) -> dict[str, int]:
    """Check a file and write its known columns as .parquet, .csv or .tsv, whole or not at all.

    Repeated pairs stay (they may be check-ins) unless their ratings contradict each other, which is refused;
    `duplicates="latest"` keeps only the latest row of each pair. Returns the counts.
    """
    source, target = Path(in_path).expanduser(), Path(out_path).expanduser()
    if target.suffix.lower() not in KINDS:
        raise BadInput("file type", got=target.suffix or target.name, allowed=", ".join(KINDS), where=target)
    rows = read_rows(source, columns)
    at_least_two(rows, source.name)
    user, user_ids = positions(rows["user"])
    item, item_ids = positions(rows["item"])
    numbered = rows.with_columns(user, item).with_row_index("row")
    kept, _ = one_per_pair(numbered, duplicates, user_ids, item_ids, trusted=False, where=source.name)
    if duplicates == "latest":
        rows = rows[kept["row"]]
    write_table(rows, target)
    return {"users": len(user_ids), "items": len(item_ids), "rows": len(rows)}


def _span(time: npt.NDArray[np.int64] | None) -> dict[str, str] | None:
    known = time[time != -1] if time is not None else None
    if known is None or not len(known):
        return None
    return {"first": _date(int(known.min())), "last": _date(int(known.max()))}


def _date(seconds: int) -> str:
    try:
        return datetime.fromtimestamp(seconds, UTC).isoformat()
    except (ValueError, OverflowError, OSError):
        return f"{seconds} seconds after 1970, which is no date: are these milliseconds?"
