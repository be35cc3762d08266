"""Put back the ratings of a backup, also where the store cannot be opened any more."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tacit.core.errors import BadInput, TacitError
from tacit.node.backups import FOLDER, newest_good
from tacit.node.export_ratings import write_ratings
from tacit.node.first_setup import create
from tacit.node.service import Service
from tacit.node.start import rows_file
from tacit.node.store.database import Damaged, set_aside
from tacit.node.store.records import Rating
from tacit.node.suggestions import START_FILE


@dataclass(frozen=True, slots=True)
class Restored:
    """What was put back."""

    day: str
    ratings: int
    aside: Path | None
    """Where what was there before is now."""
    new_node: bool
    """Whether the store had to be made anew, with another key: friends have to be invited again."""


def restore(home: Path, day: str = "") -> Restored:
    """Put back the newest backup that is whole, or that of a day. What is there now is kept beside."""
    backup, ratings = newest_good(home, day)
    try:
        service = Service(home)
    except Damaged:
        return _anew(home, backup.day, ratings)
    try:
        if service.store.is_running():
            raise BadInput("node", got="it is running", allowed="stop it first, then restore")
        aside = home / FOLDER / f"replaced-{time.strftime('%Y-%m-%d-%H%M%S')}.csv"
        with suppress(TacitError):
            write_ratings(aside, service.rating_store.as_they_are())
        try:
            count = service.rating_store.replace_all(ratings)
            service.rating_store.verify()
        except Damaged:
            service.close()
            return _anew(home, backup.day, ratings)
        return Restored(backup.day, count, aside if aside.exists() else None, new_node=False)
    finally:
        service.close()


def _anew(home: Path, day: str, ratings: list[Rating]) -> Restored:
    """A new store with these ratings and the start, the old one set aside."""
    aside = set_aside(home, f"damaged-{time.strftime('%Y-%m-%d-%H%M%S')}")
    create(home)
    service = Service(home)
    try:
        count = service.rating_store.replace_all(ratings)
        with suppress(BadInput):  # no start, or a damaged one: it can be learned again
            service.suggestions.set_start(rows_file.read(home / START_FILE))
    finally:
        service.close()
    return Restored(day, count, aside, new_node=True)
