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
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

import numba
from platformdirs import user_cache_path

from tacit.core.compiled.kernel_cache import KernelCache

_PACKAGE = Path(__file__).resolve().parent.parent.parent
F = TypeVar("F", bound=Callable[..., Any])


@cache
def kernel_folder() -> Path | None:
    """Where compiled code lives; None where nothing can be written."""
    folder = user_cache_path("tacit") / "kernels" / f"numba-{numba.__version__}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK) else None


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
    """Compile a function of arrays and numbers. Exact arithmetic: no reordering, so the same bits everywhere."""
    compiled: Any = numba.njit(nogil=True, error_model="numpy")(function)
    folder = kernel_folder()
    # A function without a file (a notebook's cell, an interactive session) is compiled in every process.
    if folder is not None and Path(function.__code__.co_filename).is_file():
        # Numba reads its cache folder when a cache is made; the setting is put back at once for everybody else.
        config: Any = numba.config
        before, config.CACHE_DIR = config.CACHE_DIR, str(folder)
        try:
            compiled._cache = KernelCache(function)
        finally:
            config.CACHE_DIR = before
    return compiled  # type: ignore[no-any-return]
