"""A lock on a folder, so that two processes never write there at once.

The operating system holds the lock and drops it with the process, however that ends: a crash leaves nothing to clean
up. Where a file system knows no locks there is none, and everything goes on as without.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from tacit.core.errors import BadInput

NAME = ".lock"
_HELD = {errno.EAGAIN, errno.EACCES, errno.EDEADLK}
"""What the system says where somebody else holds the lock."""


@contextmanager
def folder_lock(folder: Path, what: str = "--out") -> Iterator[None]:
    """Hold the folder for this process, or refuse in one line that names the process that has it."""
    path = folder / NAME
    while True:
        file = path.open("a+", encoding="ascii")
        try:
            _lock(file)
        except OSError as problem:
            if problem.errno in _HELD:
                holder = _holder(file)
                file.close()
                got = f"{folder}, in which another process{holder} is writing"
                raise BadInput(what, got=got, allowed="another folder, or wait until it has ended") from None
        if _still_there(file, path):
            break
        file.close()  # its holder removed it in between; the next one is a new file
    try:
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        yield
    finally:
        if os.name == "nt":  # an open file cannot be removed there
            file.close()
        with suppress(OSError):  # somebody else has opened it already
            path.unlink(missing_ok=True)
        file.close()


def _holder(file: IO[str]) -> str:
    try:
        file.seek(0)
        number = file.read(20).strip()
    except OSError:
        return ""
    return f" ({number})" if number.isdigit() else ""


def _still_there(file: IO[str], path: Path) -> bool:
    try:
        return os.name == "nt" or os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False


if sys.platform == "win32":

    def _lock(file: IO[str]) -> None:
        import msvcrt

        file.seek(2**30)  # far behind the number in it, which others may read
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        file.seek(0)

else:

    def _lock(file: IO[str]) -> None:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
