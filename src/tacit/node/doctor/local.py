"""Checks of this computer: store, ratings, start, backup, disk, clock, page."""

from __future__ import annotations

import errno
import shutil
import socket
import time
from datetime import date
from pathlib import Path

from tacit.core.errors import TacitError
from tacit.node.backups import backups
from tacit.node.doctor.check import Check, attention, ok, problem
from tacit.node.service import Service
from tacit.node.store.database import Damaged

_LITTLE, _TOO_LITTLE = 500, 20
"""Megabytes of free disk that ask for attention, or are a problem."""
_OLD = 7
"""Days after which a backup is old."""
_EARLIEST = 1_735_689_600.0
"""The start of 2025: a clock before that is wrong."""
_RESTORE = "tacit node restore puts back the last daily backup"


def store(service: Service) -> Check:
    """The file as a whole."""
    try:
        found = service.store.read("PRAGMA quick_check(1)")[0][0]
    except Damaged:
        found = "damaged"
    if found != "ok":
        return problem("store", f"The store is damaged: {found}.", _RESTORE)
    size = service.store.path.stat().st_size / 2**20
    return ok("store", f"The store is whole, {size:.1f} MB in {service.store.home}.")


def ratings(service: Service) -> Check:
    """Checksums of all ratings and their titles."""
    try:
        service.rating_store.verify()
    except Damaged as fault:
        return problem("ratings", f"{fault}.", _RESTORE)
    count = service.rating_store.count()
    if count == 0:
        return attention("ratings", "There are no ratings yet.", "tacit node import FILE, or tacit node rate")
    return ok("ratings", f"All ratings and titles fit their checksums: {count:,}.")


def start(service: Service) -> Check:
    """The rows that a node starts from."""
    learn = "tacit node learn movielens-100k"
    try:
        facts = service.suggestions.facts()
        service.suggestions.recommender()
    except TacitError as fault:
        return problem("start", f"The start file cannot be used: {fault}.", learn)
    if facts is None:
        return attention("start", "There is no start: lists need friends or ratings of others.", learn)
    return ok("start", f"{facts.items:,} titles of {facts.source}, and the file fits its checksum.")


def backup(service: Service) -> Check:
    """The newest daily backup."""
    found = backups(service.store.home)
    if not found:
        if service.rating_store.count() == 0:
            return ok("backup", "There is nothing to back up yet.")
        return attention("backup", "There is no backup of ratings.", "tacit node recommend writes one")
    newest = found[0]
    newest.ratings()  # raises where it is damaged
    days = (date.today() - date.fromisoformat(newest.day)).days
    if days > _OLD:
        return attention("backup", f"The last backup is {days} days old.", "tacit node recommend writes one")
    return ok("backup", f"The last backup is of {newest.day} and whole; kept: {len(found)}.")


def clock(service: Service) -> Check:
    """Whether the time of day can be right."""
    now = time.time()
    seen = [peer.last_seen or 0.0 for peer in service.contacts.peers()]
    last = max([entry.time for entry in service.ledger.entries(1)] + seen, default=0.0)
    if now < max(_EARLIEST, last - 86_400):
        return problem(
            "clock", "The clock of this computer is behind what it has recorded.", "set date and time"
        )
    return ok("clock", "The clock is not behind anything recorded here.")


def disk(home: Path) -> Check:
    """Free space where the node lives."""
    folder = next(path for path in (home, *home.parents) if path.exists())
    free = shutil.disk_usage(folder).free // 2**20
    if free < _TOO_LITTLE:
        return problem("disk", f"{free:,} MB are free: soon nothing can be written.", "free some space")
    if free < _LITTLE:
        return attention("disk", f"{free:,} MB are free.", "free some space")
    return ok("disk", f"{free:,} MB are free.")


def page(home: Path, port: int) -> Check:
    """The port of the page; another is taken where it is not free."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as trial:
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind(("127.0.0.1", port))
        except OSError as fault:
            if fault.errno not in (errno.EADDRINUSE, errno.EACCES):
                raise
            return ok(
                "page", f"Port {port} is in use, by this node's page or another; a start takes the next."
            )
    return ok("page", f"Port {port} is free for the page.")
