"""The kernel cache: machine code on disk, found by the kernel's fingerprint and loaded without starting the compiler.

Numba's own cache looks at the file that a function is in. It misses a change to a function that is *called*, and it
compiles a kernel that closes over another one anew in every process. Here the key is the kernel's fingerprint.

Before Numba looks for a compiled function it loads all that the compiler knows: 0.4 s of CPU and 40 MB in every
process. Code that is compiled already needs none of it: what it calls is inside it, or among the symbols of Numba's
memory management named here. Where there is nothing on disk the compiler starts as always.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import numba
from llvmlite import binding as llvm
from numba.core.caching import FunctionCache, IndexDataCacheFile, NullCache

from tacit.core.compiled.fingerprint import fingerprint, mark, plain_name, signature_text, title

_LOADS_AT_ONCE = numba.__version__.startswith("0.68.")
"""Whether this version of Numba was checked. A missing symbol ends the process, so other versions load as usual."""


class KernelCache(FunctionCache):
    """Numba's cache of one function, with a key of our own."""

    def __init__(self, function: Any, options: dict[str, Any]) -> None:
        super().__init__(function)  # type: ignore[no-untyped-call]
        self._function, self._options = function, sorted(options.items())
        module = function.__module__.rpartition(".")[2]
        name = f"{module}.{plain_name(function)}.py{sys.version_info[0]}{sys.version_info[1]}"
        safe = name.replace("<", "").replace(">", "")
        files: Any = self._cache_file
        self._cache_file = _Files(files._cache_path, safe, "")  # type: ignore[no-untyped-call]

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """What is on disk for a signature, ready to be called; None where there is nothing.

        A named tuple of a notebook's cell is another class each time the cell is run. Code for the class of an earlier
        time looks the same in words, and cannot be called by code for this one.
        """
        mark(self._function)
        found = None
        if not _LOADS_AT_ONCE:
            found = super().load_overload(sig, target_context)  # type: ignore[no-untyped-call]
        else:
            _name_memory_management()
            with self._guard_against_spurious_io_errors():  # a file that another process holds, on Windows
                found = self._load_overload(sig, target_context)  # type: ignore[no-untyped-call]
        return found if found is not None and tuple(found.signature.args) == tuple(_args(sig)) else None

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        whole = f"{signature_text(sig)} {self._options} marked"
        return (whole, codegen.magic_tuple(), title(self._function), fingerprint(self._function))


class NotKept(NullCache):
    """For a kernel without a file, which is compiled in every process: only its name is marked."""

    def __init__(self, function: Any) -> None:
        self._function = function

    def load_overload(self, sig: Any, target_context: Any) -> None:
        """Nothing is ever on disk."""
        mark(self._function)


def _args(sig: Any) -> Any:
    """The types of the arguments, whether or not that of the result is known."""
    return getattr(sig, "args", sig)


class _Files(IndexDataCacheFile):
    """An index and a file for every signature, safe where two processes compile at once.

    Numba numbers the files: both processes would take the next number, and one signature's code could be found under
    another's name. Here a file is named by its key. At worst one process's entry in the index is lost.
    """

    def load(self, key: Any) -> Any:
        """What was kept under a key; None where it is missing, damaged, or of a type that is no longer there."""
        try:
            return super().load(key)  # type: ignore[no-untyped-call]
        except Exception:  # whatever a pickle of another version of these sources may raise
            return None

    def _load_index(self) -> Any:
        try:
            return super()._load_index()  # type: ignore[no-untyped-call]
        except Exception:
            return {}

    def save(self, key: Any, data: Any) -> None:
        """Keep compiled code: first the code, then the entry that points to it. Code of older sources is deleted."""
        files: Any = self
        name = files._data_name(int(sha256(repr(key).encode()).hexdigest()[:12], 16))
        files._save_data(name, data)
        index = files._load_index()
        for old in [known for known in index if known[:3] == key[:3] and known != key]:
            with suppress(OSError):
                Path(files._data_path(index.pop(old))).unlink()
        files._save_index({**index, key: name})


@cache
def _name_memory_management() -> None:
    """Register the functions by which compiled code allocates and frees arrays (as `numba.core.runtime.nrt` does)."""
    from numba.core.runtime import _nrt_python  # type: ignore[attr-defined]

    for name, address in _nrt_python.c_helpers.items():
        llvm.add_symbol(name if name.startswith("_") else f"NRT_{name}", address)
