"""LibraryThing reviews (Zhao, McAuley, King): reviews.txt or reviews.json, one Python dict per line."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import polars as pl

from tacit.data.sources.archives import Parsed, active, member

LEAST = 20
"""FedeRank keeps users with at least this many ratings."""
_PREFIX = re.compile(r"^\s*reviews\[.*?\]\s*=\s*(?=\{)")


def parse(archive: Path) -> Parsed:
    """Lines such as {'user': 'ann', 'work': '123', 'stars': 4.5, 'unixtime': 1350172800, ...}.

    Only literals are read (`ast.literal_eval`), nothing is run. Lines that are no review, or have no stars,
    are left out; stars go in halves from 0.5 to 5.
    """
    rows = []
    with member(archive, "reviews.txt", "reviews.json", "*reviews*") as file:
        for line in file:
            review = _review(line.decode("utf-8", errors="replace"))
            if review is not None:
                rows.append(review)
    kinds = {"user": pl.String, "item": pl.String, "rating": pl.Float32, "timestamp": pl.Int64}
    return Parsed(active(pl.DataFrame(rows, kinds, orient="row"), LEAST))


def _review(line: str) -> tuple[str, str, float, int | None] | None:
    try:
        fields = ast.literal_eval(_PREFIX.sub("", line).strip())
        time = fields.get("unixtime")
        return (
            str(fields["user"]),
            str(fields["work"]),
            float(fields["stars"]),
            None if time is None else int(time),
        )
    except (ValueError, SyntaxError, KeyError, TypeError, AttributeError, MemoryError, RecursionError):
        return None
