"""Machine code from disk, without making the compiler ready first.

Before Numba's own cache looks for a compiled function it loads all that the compiler knows: 0.4 s of CPU and 40 MB in
every process. Code that is compiled already needs none of it: what it calls is inside it, or among the symbols of
Numba's memory management named here. Where there is nothing on disk the compiler makes itself ready as always.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from typing import Any

import numba
from llvmlite import binding as llvm  # type: ignore[import-untyped]
from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.core.runtime import _nrt_python  # type: ignore[attr-defined]

is_known = numba.__version__.startswith("0.68.")
"""Whether this is a Numba that was looked into. A symbol that is missing ends the process: others are not tried."""
_MEMORY_MANAGEMENT: dict[str, int] = _nrt_python.c_helpers


class KernelCache(FunctionCache):
    """Numba's cache of one function."""

    def __init__(self, function: Any) -> None:
        super().__init__(function)  # type: ignore[no-untyped-call]
        files: Any = self._cache_file
        name = files._index_name.removesuffix(".nbi")
        self._cache_file = _Files(files._cache_path, name, files._source_stamp)  # type: ignore[no-untyped-call]

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """What is on disk for a signature, ready to be called; None where there is nothing."""
        _name_memory_management()
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)  # type: ignore[no-untyped-call]
        return None  # a file that another process holds, on Windows


class _Files(IndexDataCacheFile):
    """An index and a file for every signature, safe where two processes compile at once.

    Numba numbers the files: both processes would take the next number, and one signature's code could be found under
    another's name. Here a file is named by its signature. At worst one process's entry in the index is lost.
    """

    def save(self, key: Any, data: Any) -> None:
        """Keep compiled code; first the code, then the entry that tells where it is."""
        files: Any = self
        name = files._data_name(int(sha256(repr(key).encode()).hexdigest()[:12], 16))
        files._save_data(name, data)
        files._save_index({**files._load_index(), key: name})


@cache
def _name_memory_management() -> None:
    """Tell where the functions are by which compiled code gets and frees arrays (as `numba.core.runtime.nrt` does)."""
    for name, address in _MEMORY_MANAGEMENT.items():
        llvm.add_symbol(name if name.startswith("_") else f"NRT_{name}", address)
