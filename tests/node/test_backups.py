"""Daily backups of ratings, and putting them back."""

from __future__ import annotations

import sqlite3
from datetime import date, timedelta
from pathlib import Path

import pytest

from tacit.core.errors import BadInput
from tacit.node import first_setup
from tacit.node.backups import FOLDER, KEPT, back_up, backups, newest_good
from tacit.node.import_ratings import read_file
from tacit.node.restore_ratings import restore
from tacit.node.service import Service
from tacit.node.store.database import FILE, Damaged
from tacit.node.store.records import Rating
from tests.node.start.starts import start

RATINGS = [
    Rating("csv:7", "7", value=1 / 3 + 1, source="csv", person="ana"),
    Rating("film:t:night ferry:2010", 'Night "Ferry", really (2010)', value=4.5, time=9, source="imdb"),
    Rating("film:t:salt road:1998", "Salt Road (1998)", "seen"),
]
DAY = date(2026, 11, 18)


def test_what_is_read_back_is_what_was_backed_up(tmp_path: Path) -> None:
    path = back_up(tmp_path, RATINGS, DAY)
    assert path is not None
    assert path.stat().st_mode & 0o077 == 0
    assert newest_good(tmp_path)[1] == RATINGS
    assert back_up(tmp_path, [], DAY + timedelta(1)) is None
    plain = back_up(tmp_path, RATINGS[1:], DAY)
    assert plain is not None
    assert [found.key for found in read_file(plain).parsed] == [rating.key for rating in RATINGS[1:]]


def test_one_per_day_and_the_oldest_go(tmp_path: Path) -> None:
    for number in range(KEPT + 3):
        back_up(tmp_path, RATINGS[:2], DAY + timedelta(number))
    back_up(tmp_path, RATINGS, DAY + timedelta(KEPT + 2))
    days = [backup.day for backup in backups(tmp_path)]
    assert len(days) == len(set(days)) == KEPT
    assert days[0] == (DAY + timedelta(KEPT + 2)).isoformat()
    assert newest_good(tmp_path)[1] == RATINGS


def test_a_damaged_backup_is_passed_over_or_refused_by_name(tmp_path: Path) -> None:
    back_up(tmp_path, RATINGS[:1], DAY)
    newer = back_up(tmp_path, RATINGS, DAY + timedelta(1))
    assert newer is not None
    data = bytearray(newer.read_bytes())
    data[40] ^= 1
    newer.write_bytes(bytes(data))
    assert newest_good(tmp_path)[0].day == "2026-11-18"
    with pytest.raises(BadInput, match="a checksum that does not fit"):
        newest_good(tmp_path, "2026-11-19")
    with pytest.raises(BadInput, match="none of 2020-01-01; allowed: one of 2026-11-18, 2026-11-19"):
        newest_good(tmp_path, "2020-01-01")
    with pytest.raises(BadInput, match="none that is whole"):
        newest_good(tmp_path / "nowhere")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    first_setup.create(tmp_path / "home", name="Ana")
    service = Service(tmp_path / "home")
    service.suggestions.set_start(start())
    service.add([rating for rating in RATINGS if not rating.person])
    service.close()
    return tmp_path / "home"


def spoil(home: Path, statement: str) -> None:
    with sqlite3.connect(home / FILE) as db:
        db.execute(statement)
    db.close()


def test_a_flipped_rating_is_noticed_and_put_back(home: Path) -> None:
    spoil(home, "UPDATE ratings SET value = 1.0 WHERE value = 4.5")
    service = Service(home)
    for ask in (service.ratings, service.recommend, lambda: service.export(home / "x.csv")):
        with pytest.raises(Damaged, match="tacit node restore"):
            ask()
    assert service.status().ratings == 2
    service.close()
    done = restore(home)
    assert (done.ratings, done.new_node) == (2, False)
    assert done.aside is not None
    assert "1,9" in done.aside.read_text(), "what was there is kept beside"
    service = Service(home)
    assert {rating.value for rating in service.ratings()} == {4.5, None}
    assert {rating.source for rating in service.ratings()} == {"imdb", "here"}
    service.close()


def test_a_store_that_cannot_be_opened_is_made_anew(home: Path) -> None:
    (home / FILE).write_bytes(b"garbage " * 1000)
    for name in (f"{FILE}-wal", f"{FILE}-shm"):
        (home / name).unlink(missing_ok=True)
    with pytest.raises(Damaged, match="tacit node restore"):
        Service(home)
    done = restore(home)
    assert done.new_node
    assert done.aside is not None
    assert done.aside.exists()
    service = Service(home)
    assert len(service.ratings()) == 2
    assert service.status().start is not None
    service.forget()
    assert list(home.iterdir()) == [], "the store that was set aside is forgotten, too"


def test_a_running_node_is_not_restored_and_without_a_backup_nothing_happens(
    home: Path, tmp_path: Path
) -> None:
    service = Service(home)
    with service.store.running(), pytest.raises(BadInput, match="stop it first"):
        restore(home)
    service.close()
    first_setup.create(tmp_path / "other")
    with pytest.raises(BadInput, match="none that is whole"):
        restore(tmp_path / "other")


def test_forgetting_forgets_backups_and_start(home: Path) -> None:
    assert (home / FOLDER).is_dir()
    service = Service(home)
    service.forget()
    assert list(home.iterdir()) == []


def test_a_full_disk_does_not_lose_the_rating(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tacit.node.backups.back_up", full)
    service = Service(home)
    service.add([Rating("csv:1", "", value=3.0)])
    assert service.rating_store.count() == 3
    assert "No space left" in service.problem_log.latest(1)[0].line
    service.close()
