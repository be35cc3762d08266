"""Everything a person said, as a csv file that any node can import again."""

from __future__ import annotations

import csv
import os
from pathlib import Path

from tacit.core.errors import BadInput
from tacit.hosts.live.records import Rating


def write_ratings(file: Path, ratings: list[Rating]) -> int:
    """item,title,rating,timestamp,signal[,user]; readable by the owner only. How many."""
    many = any(rating.person for rating in ratings)
    header = ["item", "title", "rating", "timestamp", "signal", *(["user"] if many else [])]
    try:
        handle = os.open(file, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w", newline="", encoding="utf-8") as out:
            table = csv.writer(out)
            table.writerow(header)
            for r in ratings:
                value = "" if r.value is None else f"{r.value:g}"
                when = "" if r.time is None else r.time
                table.writerow([r.key, r.title, value, when, r.signal, *([r.person] if many else [])])
    except OSError as problem:
        raise BadInput(
            "file", got=f"{file}: {problem.strerror}", allowed="a file that can be written"
        ) from None
    return len(ratings)
