"""The SQLite file of a node: settings, saved model, transactions, lock. Opened by many processes, safe against kill -9.

    store = Store.create(home)         tacit node init
    with store.transaction(): ...      all of it or nothing, on disk when it returns
    with store.running(): ...          one process at a time runs the node; others may read and write meanwhile

Write-ahead log with full synchronization: what was acknowledged survives a crash. Only its owner can read the file.
The other tables have classes of their own: `ratings` (items and ratings), `contacts`, `ledger`, `problem_log`.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import msgspec

from tacit.core.errors import BadInput, TacitError
from tacit.node.store.rating_checks import rating_hash, title_hash
from tacit.node.store.schema import STEPS, VERSION

FILE, LOCK = "node.db", "running.lock"
FILES = (FILE, f"{FILE}-wal", f"{FILE}-shm")
_WAIT = 10.0
"""Seconds to wait for another process's transaction."""
_NO_ROOM = ("full", "disk I/O", "readonly", "unable to open")
"""What SQLite says where a disk takes nothing more."""


class StoreFull(TacitError):  # noqa: N818 - reads as what happened
    """The disk is full, or somebody else keeps the store busy: nothing was written, so nothing may be sent."""


class StoreBusy(StoreFull):
    """Only somebody else keeps it busy."""


class Damaged(BadInput):
    """Something on the disk changed what was stored. Names the remedy."""

    def __init__(self, what: str) -> None:
        remedy = "tacit node restore puts back the ratings of the last daily backup"
        super().__init__(
            what, got="something else than was written", allowed=f"a store of tacit as it was; {remedy}"
        )


class Store:
    """The file of one node."""

    def __init__(self, home: Path) -> None:
        self.home, self.path = home, home / FILE
        if not self.path.is_file():
            raise BadInput("node", got=home, allowed="a folder made with: tacit node init --home DIR")
        self._guard = threading.RLock()
        self._depth = 0
        try:
            self._open(str(self.path))
        except StoreFull as problem:
            if isinstance(problem, StoreBusy) or not self._can_be_read_alone():
                raise
            self._open(f"{self.path.absolute().as_uri()}?mode=ro&immutable=1", read_only=True)
        except sqlite3.DatabaseError as problem:
            raise BadInput("store", got=f"{self.path}: {problem}", allowed="a store of tacit") from None

    def _open(self, name: str, *, read_only: bool = False) -> None:
        """Connect and bring the tables up to date; where nothing can be written they must be already."""
        self._db = sqlite3.connect(
            name, timeout=_WAIT, isolation_level=None, check_same_thread=False, uri=read_only
        )
        try:
            with _disk_errors(what=f"store {self.path}"):
                if not read_only:
                    self._db.execute("PRAGMA journal_mode = WAL")
                    self._db.execute("PRAGMA synchronous = FULL")
                _add_functions(self._db)
                self._migrate()
        except (sqlite3.DatabaseError, TacitError):
            self._db.close()
            raise

    def _can_be_read_alone(self) -> bool:
        """Whether the main file has everything: nobody runs this node, and the last to close it wrote all of it."""
        log = self.home / f"{FILE}-wal"
        return not (log.exists() and log.stat().st_size) and not self.is_running()

    @classmethod
    def create(cls, home: Path) -> Store:
        """An empty store in a new folder that only its owner can read."""
        path = home / FILE
        if path.exists():
            raise BadInput("node", got=f"{home} holds one already", allowed="another --home DIR")
        try:
            home.mkdir(parents=True, exist_ok=True, mode=0o700)
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        except OSError as problem:
            raise BadInput(
                "node", got=f"{home}: {problem.strerror}", allowed="a folder that can be written"
            ) from None
        try:
            return cls(home)
        except StoreFull:
            for name in FILES:
                (home / name).unlink(missing_ok=True)
            raise

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    def _migrate(self) -> None:
        version = int(self._db.execute("PRAGMA user_version").fetchone()[0])
        if version > VERSION:
            raise BadInput(
                "store", got=f"version {version}", allowed=f"up to {VERSION}: update tacit", where=self.path
            )
        for number in range(version, VERSION):
            with self.transaction():
                # Another process may have been faster.
                if int(self._db.execute("PRAGMA user_version").fetchone()[0]) == number:
                    for statement in _statements(STEPS[number]):
                        self._db.execute(statement)
                    self._db.execute(f"PRAGMA user_version = {number + 1}")

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing; nests."""
        with self._guard, _disk_errors(self._schema_is_whole):
            if self._depth == 0:
                self._db.execute("BEGIN IMMEDIATE")
            self._depth += 1
            try:
                yield
                if self._depth == 1:
                    self._db.execute("COMMIT")
            except BaseException:
                if self._depth == 1 and self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise
            finally:
                self._depth -= 1

    def read(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """Rows of a query."""
        with self._guard, _disk_errors(self._schema_is_whole):
            return self._db.execute(sql, values).fetchall()

    def _schema_is_whole(self) -> bool:
        """Whether every table and column is there: if one is missed that never was, tacit is wrong and not the disk."""
        with closing(sqlite3.connect(":memory:")) as fresh:
            _add_functions(fresh)
            for step in STEPS:
                for statement in _statements(step):
                    fresh.execute(statement)
            try:
                return _columns(fresh) <= _columns(self._db)
            except sqlite3.DatabaseError:
                return False

    def write(self, sql: str, *values: Any) -> int:
        """One statement in a transaction; the number of the row it made, or how many it changed."""
        with self.transaction():
            done = self._db.execute(sql, values)
            return int(done.lastrowid or 0) if sql.lstrip().upper().startswith("INSERT") else done.rowcount

    def write_many(self, sql: str, values: list[tuple[Any, ...]]) -> None:
        """One statement for many rows, in a transaction."""
        with self.transaction():
            self._db.executemany(sql, values)

    def changes(self) -> int:
        """A number that changes when another process or connection wrote something."""
        with self._guard:
            return int(self._db.execute("PRAGMA data_version").fetchone()[0])

    def version(self) -> tuple[int, int]:
        """A pair that changes whenever anybody wrote something, this connection included."""
        with self._guard:
            return self.changes(), self._db.total_changes

    def setting(self, name: str, default: Any = None) -> Any:
        """A setting's value."""
        found = self.read("SELECT value FROM settings WHERE name = ?", name)
        return msgspec.json.decode(found[0][0]) if found else default

    def set(self, **values: Any) -> None:
        """Change settings."""
        rows = [(name, msgspec.json.encode(value).decode()) for name, value in values.items()]
        self.write_many("INSERT OR REPLACE INTO settings VALUES (?, ?)", rows)

    def arrays(self) -> dict[str, bytes]:
        """The saved model, part by part: the old one or the new one, never half of each."""
        return dict(self.read("SELECT name, data FROM model"))

    def saves(self) -> int:
        """How often a model was saved: tells whether the one that was read is still the last."""
        return int(self.setting("saves", 0))

    def save_arrays(self, parts: Mapping[str, bytes]) -> None:
        """Replace the saved model."""
        with self.transaction():
            self.set(saves=self.saves() + 1)
            self._db.execute("DELETE FROM model")
            self._db.executemany("INSERT INTO model VALUES (?, ?)", list(parts.items()))

    def put_arrays(self, parts: Mapping[str, bytes]) -> None:
        """Replace some parts of the saved model."""
        with self.transaction():
            self.write_many("INSERT OR REPLACE INTO model VALUES (?, ?)", list(parts.items()))
            self.set(saves=self.saves() + 1)

    @contextmanager
    def running(self, patience: float = 1.0) -> Iterator[None]:
        """Be the one process that runs this node. The lock goes with the process, however it ends."""
        with closing(_lock(self.home, patience)) as lock:
            try:
                yield
            finally:
                lock.execute("ROLLBACK")

    def is_running(self) -> bool:
        """Whether some process runs this node now."""
        try:
            with self.running(patience=0):
                return False
        except BadInput:
            return True
        except StoreFull:
            return False  # where nothing can be written, nobody runs

    def erase(self) -> None:
        """Delete everything, the identity included, also stores that were set aside."""
        self.close()
        for path in (*self.home.glob(f"{FILE}*"), *self.home.glob(f"{LOCK}*")):
            path.unlink(missing_ok=True)


def set_aside(home: Path, mark: str) -> Path:
    """Rename a store that cannot be used, so that a new one can be made; its new name."""
    for name in FILES:
        if (home / name).exists():
            (home / name).rename(home / f"{name}.{mark}")
    return home / f"{FILE}.{mark}"


def _statements(script: str) -> Iterator[str]:
    """The statements of a script one by one: `executescript` would end the transaction."""
    text = ""
    for line in script.splitlines():
        text += line + "\n"
        if sqlite3.complete_statement(text):
            yield text
            text = ""


def _lock(home: Path, patience: float) -> sqlite3.Connection:
    """The lock of a running node, held; BadInput where another process has it."""
    with _disk_errors():
        lock = sqlite3.connect(home / LOCK, timeout=patience, isolation_level=None)
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as problem:
            lock.close()
            if "locked" not in str(problem):
                raise
            raise BadInput(
                "node", got=f"{home} is running already", allowed="one process per folder"
            ) from None
    return lock


def _add_functions(db: sqlite3.Connection) -> None:
    """What the schema calls."""
    db.create_function("rating_hash", 6, rating_hash, deterministic=True)
    db.create_function("title_hash", 2, title_hash, deterministic=True)


def _columns(db: sqlite3.Connection) -> set[tuple[str, str]]:
    """Every column of every table."""
    return set(db.execute("SELECT m.name, c.name FROM sqlite_master AS m, pragma_table_info(m.name) AS c"))


@contextmanager
def _disk_errors(schema_is_whole: Callable[[], bool] = lambda: False, what: str = "store") -> Iterator[None]:
    """Raise StoreFull where SQLite reports a disk that takes nothing or a store that another process keeps busy.

    `schema_is_whole` is asked where a table or column is missed.
    """
    try:
        yield
    except sqlite3.DatabaseError as problem:
        said = str(problem)
        if isinstance(problem, sqlite3.OperationalError) and "locked" in said:
            raise StoreBusy(
                f"{what}: another process keeps it busy ({said}); nothing was changed; try again"
            ) from None
        if isinstance(problem, sqlite3.OperationalError) and any(word in said for word in _NO_ROOM):
            raise StoreFull(
                f"{what}: the disk is full or read-only ({said}); nothing was changed; free some space"
            ) from None
        if _is_damage(said) or ("no such" in said and not schema_is_whole()):
            raise Damaged(what) from None
        raise


def _is_damage(said: str) -> bool:
    words = ("malformed", "not a database", "corrupt", "decode to UTF-8", "user-defined function raised")
    return any(word in said for word in words)
