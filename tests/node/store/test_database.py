from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tacit.core.errors import BadInput
from tacit.node.store.database import FILE, LOCK, Damaged, Store, StoreFull
from tacit.node.store.ledger import Ledger
from tacit.node.store.schema import VERSION
from tests.node.live_network import make_store


def test_a_folder_without_a_node_is_told_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="tacit node init"):
        Store(tmp_path)


def test_only_the_owner_can_read_it_and_it_is_made_once(tmp_path: Path) -> None:
    home = tmp_path / "a" / "b"
    make_store(home)
    for file in home.iterdir():
        assert file.stat().st_mode & 0o077 == 0
    with pytest.raises(BadInput, match="holds one already"):
        Store.create(home)


def test_settings_stay_and_another_connection_notices(tmp_path: Path) -> None:
    one, other = make_store(tmp_path / "n"), Store(tmp_path / "n")
    before, own = other.changes(), one.changes()
    one.set(name="Ana", numbers=[1, 2])
    assert (other.setting("name"), other.setting("numbers"), other.setting("none", 7)) == ("Ana", [1, 2], 7)
    assert other.changes() != before
    assert one.changes() == own


def test_a_transaction_is_all_or_nothing_also_when_nested(tmp_path: Path) -> None:
    store = make_store(tmp_path / "n")

    def broken() -> None:
        with store.transaction():
            store.set(a=1)
            with store.transaction():
                store.set(b=2)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        broken()
    assert (store.setting("a"), store.setting("b")) == (None, None)
    store.set(a=3)
    assert store.setting("a") == 3


def test_a_store_of_a_newer_tacit_is_refused_and_left_alone(tmp_path: Path) -> None:
    make_store(tmp_path / "n").close()
    with sqlite3.connect(tmp_path / "n" / FILE) as db:
        db.execute(f"PRAGMA user_version = {VERSION + 1}")
    with pytest.raises(BadInput, match="update tacit"):
        Store(tmp_path / "n")


def test_an_empty_file_of_version_0_is_brought_up_to_date(tmp_path: Path) -> None:
    (tmp_path / FILE).touch()
    store = Store(tmp_path)
    assert store.read("PRAGMA user_version") == [(VERSION,)]
    assert store.arrays() == {}


def test_something_else_under_that_name_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"not a database, but long enough to look at " * 100)
    with pytest.raises(BadInput, match="a store of tacit"):
        Store(tmp_path)


def test_one_process_at_a_time_runs_it(tmp_path: Path) -> None:
    store = make_store(tmp_path / "n")
    code = "import sys, pathlib\nfrom tacit.node.store.database import Store\n"
    code += "store = Store(pathlib.Path(sys.argv[1]))\nwith store.running():\n    print('runs', flush=True)\n"
    code += "    sys.stdin.read()"
    words = [sys.executable, "-c", code, str(store.home)]
    other = subprocess.Popen(words, stdout=subprocess.PIPE, stdin=subprocess.PIPE, text=True)
    try:
        assert other.stdout is not None
        assert other.stdout.readline() == "runs\n"
        assert store.is_running()
        with pytest.raises(BadInput, match="running already"), store.running(patience=0):
            pass
        store.set(name="still writable")
    finally:
        other.kill()
        other.wait()
    with store.running(patience=0):  # the lock went with the process
        assert (store.home / LOCK).exists()
    assert not store.is_running()


def test_killed_at_any_moment_the_model_is_the_old_one_or_the_new_one(tmp_path: Path) -> None:
    store = make_store(tmp_path / "n")
    code = (
        "import sys, pathlib\nfrom tacit.node.store.database import Store\n"
        "store = Store(pathlib.Path(sys.argv[1]))\n"
        "for turn in range(10**6):\n"
        "    mark = bytes([turn % 256])\n"
        "    store.save_arrays({'rows': mark * 200_000, 'ages': mark * 50_000})\n"
        "    store.set(turn=turn)\n"
        "    print(turn, flush=True)\n"
    )
    for attempt in range(4):
        words = [sys.executable, "-c", code, str(store.home)]
        writer = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        assert writer.stdout is not None
        for _ in range(3 + 2 * attempt):
            acknowledged = int(writer.stdout.readline())
        time.sleep(0.001 * attempt)
        os.kill(writer.pid, signal.SIGKILL)
        writer.wait()
        again = Store(store.home)
        saved = again.arrays()
        assert len(saved["rows"]) == 200_000
        assert set(saved["rows"]) == set(saved["ages"])
        assert len(set(saved["rows"])) == 1
        assert again.setting("turn") >= acknowledged
        assert again.read("PRAGMA integrity_check") == [("ok",)]
        again.close()


def test_a_full_disk_is_told_and_nothing_is_half_written(tmp_path: Path) -> None:
    store = make_store(tmp_path / "n")
    ledger = Ledger(store)
    store.read(f"PRAGMA max_page_count = {store.read('PRAGMA page_count')[0][0]}")
    before = ledger.entries()
    with pytest.raises(StoreFull, match="full"):
        store.save_arrays({"rows": b"x" * 10**6})
    assert store.arrays() == {}
    assert ledger.entries() == before


def test_a_missing_table_is_damage_and_a_wrong_question_is_not(tmp_path: Path) -> None:
    store = make_store(tmp_path / "n")
    for question in ("SELECT * FROM nowhere", "SELECT colour FROM ratings"):
        with pytest.raises(sqlite3.OperationalError, match="no such"):
            store.read(question)
    with sqlite3.connect(tmp_path / "n" / FILE) as other:
        other.execute("ALTER TABLE ratings RENAME TO ratinga")
    other.close()
    with pytest.raises(Damaged, match="tacit node restore"):
        store.read("SELECT * FROM ratings")
    store.close()


def test_erasing_leaves_nothing(tmp_path: Path) -> None:
    store = make_store(tmp_path / "n")
    with store.running():
        pass
    store.erase()
    assert list(store.home.iterdir()) == []


def test_a_store_that_somebody_else_keeps_busy_is_told_as_one_that_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tacit.node.store.database._WAIT", 0.05)
    one, other = make_store(tmp_path / "n"), Store(tmp_path / "n")
    with other.transaction(), pytest.raises(StoreFull, match="locked"):
        one.set(name="Bo")
    one.set(name="Ana")
    assert other.setting("name") == "Ana"
