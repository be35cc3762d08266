"""`@kernel`: functions compiled by Numba and kept on disk, and kernels composed of other kernels.

    @kernel
    def double(x): return 2 * x

A kernel that calls others which are chosen at run time closes over them. `functools.cache` makes each choice once:

    @cache
    def make_loop(step):
        @kernel
        def loop(x): return step(x) + 100
        return loop

    make_loop(double)(3)
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from shutil import rmtree
from typing import Any, TypeVar

import numba
import numpy as np
from numba.core.compiler_lock import global_compiler_lock
from platformdirs import user_cache_path

from tacit.core.where import is_ours

try:
    from tacit.core.compiled.kernel_cache import KernelCache, NotKept
except (
    ImportError,
    AttributeError,
):  # a Numba with other insides: what is composed is compiled in every process
    KernelCache = None  # type: ignore[assignment, misc]

_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
_PACKAGE = Path(__file__).resolve().parent.parent.parent
F = TypeVar("F", bound=Callable[..., Any])


@cache
def kernel_folder() -> Path | None:
    """Where compiled code lives; None where nothing can be written."""
    versions = f"numba-{numba.__version__}-llvmlite-{version('llvmlite')}-numpy-{np.__version__}"
    folder = user_cache_path("tacit") / "kernels" / versions
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _forget_old(folder)
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK) else None


def _forget_old(mine: Path, days: int = 60) -> None:
    """Delete what was not written for long: other versions' folders, and markers and code in one's own."""
    os.utime(mine)  # now, without a clock of our own
    before = mine.stat().st_mtime - days * 86400
    others = [folder for folder in mine.parent.iterdir() if folder != mine]
    for old in (*others, *mine.rglob("*.warm"), *mine.rglob("*.nbc")):
        with suppress(OSError):  # another process may be doing the same
            if old.stat().st_mtime < before:
                rmtree(old) if old.is_dir() else old.unlink()


def marker(what: str) -> Path | None:
    """A file that is there once all that `what` needs was compiled from these sources; None: nothing can be kept."""
    folder = kernel_folder()
    return None if folder is None else folder / f"{what}-{sources_stamp()}.warm"


@cache
def sources_stamp() -> str:
    """Changes whenever a file of this package does."""
    digest = sha256(numba.__version__.encode())
    for path in sorted(_PACKAGE.rglob("*.py")):
        status = path.stat()
        digest.update(f"{path} {status.st_size} {status.st_mtime_ns}".encode())
    return digest.hexdigest()[:16]


def kernel(function: F) -> F:
    """Compile a function of arrays and numbers. Exact arithmetic: no reordering, so the same bits everywhere.

    A function from outside of tacit looks at every index. One outside of its array raises IndexError, and corrupts
    nothing.
    """
    return _compile(function, _OPTIONS)


def inlined_kernel(function: F) -> F:
    """A kernel that becomes part of every kernel that calls it.

    For short work with many arrays: passing their fields on the stack can cost more than the work.
    """
    return _compile(function, {**_OPTIONS, "forceinline": True})


def _compile(function: F, options: dict[str, Any]) -> F:
    if not is_ours(function):
        options = {**options, "boundscheck": True}
    compiled: Any = numba.njit(**options)(function)
    folder = kernel_folder()
    # A function without a file (a notebook's cell, an interactive session) is compiled in every process.
    if KernelCache is not None and folder is not None and Path(function.__code__.co_filename).is_file():
        # Numba reads its cache folder when a cache is made; the setting is put back at once for everybody else.
        config: Any = numba.config
        with global_compiler_lock:
            before, config.CACHE_DIR = config.CACHE_DIR, str(folder)
            try:
                compiled._cache = KernelCache(function, options)
            finally:
                config.CACHE_DIR = before
    elif KernelCache is not None:
        compiled._cache = NotKept(function)
    return compiled  # type: ignore[no-any-return]
