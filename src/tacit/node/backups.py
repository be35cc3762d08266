"""Daily backups of ratings: `backups/ratings-2026-11-18-<checksum>.csv` in the node's folder.

The name holds the beginning of the contents' SHA-256, so a flipped bit shows. The columns are those of `tacit node
export` and `source`: any node can import a backup as csv, too.
"""

from __future__ import annotations

import csv
import hashlib
import io
import re
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import cast

from tacit.core.atomic_files import atomic_write
from tacit.core.errors import BadInput
from tacit.node.export_ratings import ratings_table
from tacit.node.importers.cells import unescaped
from tacit.node.store.records import Rating, Signal

FOLDER = "backups"
KEPT = 14
"""Backups that are kept, the newest."""
_NAME = re.compile(r"ratings-(?P<day>\d{4}-\d\d-\d\d)-(?P<sum>[0-9a-f]{16})\.csv")


@dataclass(frozen=True, slots=True)
class Backup:
    """One day's backup."""

    day: str
    path: Path
    sum: str

    def ratings(self) -> list[Rating]:
        """What it holds; BadInput where it is damaged, too."""
        try:
            data = self.path.read_bytes()
        except OSError as problem:
            raise BadInput(
                f"backup of {self.day}", got=problem.strerror, allowed="a file that can be read"
            ) from None
        if _sum(data) != self.sum:
            raise BadInput(
                f"backup of {self.day}",
                got="a checksum that does not fit",
                allowed="another backup",
                where=self.path,
            )
        table = csv.DictReader(io.StringIO(data.decode(), newline=""))
        return [_rating({name: unescaped(cell) for name, cell in row.items()}) for row in table]


def backups(home: Path) -> list[Backup]:
    """All backups of a node, newest first."""
    found = [(path, _NAME.fullmatch(path.name)) for path in (home / FOLDER).glob("ratings-*.csv")]
    known = [Backup(name["day"], path, name["sum"]) for path, name in found if name is not None]
    return sorted(known, key=lambda backup: (backup.day, backup.path.stat().st_mtime_ns), reverse=True)


def back_up(home: Path, ratings: list[Rating], today: date) -> Path | None:
    """Write today's backup in place of an earlier one of today, and delete the oldest; None if there is nothing."""
    known = backups(home)
    if not ratings:
        return None
    text = io.StringIO(newline="")
    header, rows = ratings_table(ratings, source=True)
    table = csv.writer(text)
    table.writerow(header)
    table.writerows(rows)
    data = text.getvalue().encode()
    (home / FOLDER).mkdir(mode=0o700, exist_ok=True)
    path = home / FOLDER / f"ratings-{today.isoformat()}-{_sum(data)}.csv"
    with atomic_write(path) as scratch:
        scratch.touch(mode=0o600)
        scratch.write_bytes(data)
    replaced = [old for old in known if old.day == today.isoformat()]
    earlier = [old for old in known if old.day != today.isoformat()]
    for old in (*replaced, *earlier[KEPT - 1 :]):
        if old.path != path:
            old.path.unlink(missing_ok=True)
    return path


def newest_good(home: Path, day: str = "") -> tuple[Backup, list[Rating]]:
    """The newest backup that is whole, or that of `day`, with its ratings."""
    chosen = [backup for backup in backups(home) if day in ("", backup.day)]
    for backup in chosen:
        try:
            return backup, backup.ratings()
        except BadInput:
            if day:
                raise
    days = ", ".join(sorted({backup.day for backup in backups(home)}))
    raise BadInput(
        "backup",
        got=f"none of {day}" if day else "none that is whole",
        allowed=f"one of {days}" if days else "a csv of your own: tacit node import",
        where=home / FOLDER,
    )


def erase(home: Path) -> None:
    """Delete all backups."""
    folder = home / FOLDER
    if folder.is_dir():
        for path in folder.iterdir():
            path.unlink()
        folder.rmdir()


def _sum(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


def _rating(row: dict[str, str]) -> Rating:
    return Rating(
        row["item"],
        row["title"],
        cast(Signal, row["signal"]),
        float(row["rating"]) if row["rating"] else None,
        int(row["timestamp"]) if row["timestamp"] else None,
        row["source"],
        row.get("user", ""),
    )
