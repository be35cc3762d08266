"""The database schema, as migrations from one version to the next. A migration, once released, never changes."""

from __future__ import annotations

STEPS = (
    """
    CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    -- told: the key was heard from somebody, or its row has left: only then it may be told to others.
    CREATE TABLE items (
        row INTEGER PRIMARY KEY, key TEXT NOT NULL, title TEXT NOT NULL, told INTEGER NOT NULL DEFAULT 0);
    CREATE TABLE ratings (
        person TEXT NOT NULL, row INTEGER NOT NULL, signal TEXT NOT NULL, value REAL, time INTEGER,
        source TEXT NOT NULL, PRIMARY KEY (person, row)) WITHOUT ROWID;
    CREATE TABLE model (name TEXT PRIMARY KEY, data BLOB NOT NULL) WITHOUT ROWID;
    CREATE TABLE peers (
        id TEXT PRIMARY KEY, name TEXT NOT NULL DEFAULT '', addresses TEXT NOT NULL DEFAULT '[]',
        allowed INTEGER NOT NULL DEFAULT 0, open INTEGER NOT NULL DEFAULT 0, last_seen REAL,
        score REAL NOT NULL DEFAULT 0, sequence INTEGER NOT NULL DEFAULT 0, secret TEXT NOT NULL DEFAULT '',
        problem TEXT NOT NULL DEFAULT '') WITHOUT ROWID;
    CREATE TABLE invitations (secret TEXT PRIMARY KEY, expires REAL NOT NULL, used_by TEXT NOT NULL DEFAULT '')
        WITHOUT ROWID;
    CREATE TABLE ledger (
        id INTEGER PRIMARY KEY AUTOINCREMENT, time REAL NOT NULL, peer TEXT NOT NULL, kind TEXT NOT NULL,
        rows INTEGER NOT NULL, rows_rated INTEGER NOT NULL, bytes INTEGER NOT NULL, disclosure REAL NOT NULL);
    CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE notes (id INTEGER PRIMARY KEY AUTOINCREMENT, time REAL NOT NULL, line TEXT NOT NULL);
    """,
    """
    -- How many ratings each person has, and the sum of their hashes: a flipped bit is noticed.
    CREATE TABLE rating_checks (person TEXT PRIMARY KEY, count INTEGER NOT NULL, digest INTEGER NOT NULL)
        WITHOUT ROWID;
    INSERT INTO rating_checks SELECT person, count(*), sum(rating_hash(person, key, signal, value, time, source))
        FROM ratings JOIN items USING (row) GROUP BY person;
    -- What an own action replaced, to undo it; without a signal there was nothing before.
    CREATE TABLE changes (
        id INTEGER PRIMARY KEY AUTOINCREMENT, person TEXT NOT NULL, row INTEGER NOT NULL, signal TEXT, value REAL,
        time INTEGER, source TEXT);
    -- In which visit a title was first shown to a person.
    CREATE TABLE visits (person TEXT PRIMARY KEY, number INTEGER NOT NULL, time REAL NOT NULL) WITHOUT ROWID;
    CREATE TABLE shown (
        person TEXT NOT NULL, row INTEGER NOT NULL, visit INTEGER NOT NULL, PRIMARY KEY (person, row)) WITHOUT ROWID;
    """,
    """
    -- A link of a circle lets several nodes in; used_by then holds their ids, with spaces between.
    ALTER TABLE invitations ADD COLUMN uses INTEGER NOT NULL DEFAULT 1;
    -- Signed heads of members' lists: the one in use, and a newer one some of whose parts are not here yet.
    CREATE TABLE circle_lists (
        member TEXT PRIMARY KEY, version INTEGER NOT NULL DEFAULT 0, head BLOB, pending BLOB, heard REAL)
        WITHOUT ROWID;
    CREATE TABLE circle_parts (hash BLOB PRIMARY KEY, data BLOB NOT NULL) WITHOUT ROWID;
    """,
    """
    -- When an invitation was made: somebody who was removed comes back only by a later one. All before had seven days.
    ALTER TABLE invitations ADD COLUMN made REAL NOT NULL DEFAULT 0;
    UPDATE invitations SET made = expires - 604800;
    """,
    """
    -- A hash of key and title: a flipped bit is noticed in what a circle would be sent, too.
    ALTER TABLE items ADD COLUMN title_check INTEGER NOT NULL DEFAULT 0;
    UPDATE items SET title_check = title_hash(key, title);
    """,
)
VERSION = len(STEPS)
