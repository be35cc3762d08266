"""Compiled kernels: one decorator, and one cache that never goes stale.

Numba keeps machine code beside a function's own file and notices when that file changes, but not when a function it
*calls* changes. Here every kernel is cached in a folder named by a hash of all the sources kernels are made of, so an
edit to any of them recompiles, and nothing else does.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path
from shutil import rmtree
from types import ModuleType
from typing import Any, TypeVar

import numba
from platformdirs import user_cache_path

try:
    from tacit.core.kernel_cache import KernelCache, is_known
except (ImportError, AttributeError):
    is_known = False  # a Numba with other insides; its own cache starts slower and is as good

F = TypeVar("F", bound=Callable[..., Any])
_PACKAGE = Path(__file__).resolve().parent.parent
_ABOVE = {"cli", "experiment", "report", "web"}  # layers without kernels: editing a report recompiles nothing


def kernel_sources() -> list[Path]:
    """The Python files kernels may live in or draw constants from: all but the layers above them."""
    paths = sorted(_PACKAGE.rglob("*.py"))
    return [path for path in paths if path.relative_to(_PACKAGE).parts[0] not in _ABOVE]


@cache
def sources_hash() -> str:
    """A hash of every Python file a kernel could be made of: changes whenever any of them does."""
    digest = hashlib.sha256(f"{numba.__version__} {sys.version}".encode())
    for path in kernel_sources():
        digest.update(path.relative_to(_PACKAGE).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


@cache
def kernel_folder() -> Path | None:
    """Where compiled code of this version of the sources lives; None where nothing can be written."""
    folder = user_cache_path("tacit") / "kernels" / sources_hash()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    if not os.access(folder, os.W_OK):
        return None
    _forget_old(folder, keep=6)
    return folder


def kernel(function: F) -> F:
    """Compile a function of arrays and numbers. Exact arithmetic: no reordering, so the same bits everywhere."""
    folder = kernel_folder()
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
    if folder is None:
        return numba.njit(**options)(function)  # type: ignore[no-any-return]
    # Numba reads its cache folder while it decorates; the setting is put back at once for everybody else.
    config: Any = numba.config
    before = config.CACHE_DIR
    config.CACHE_DIR = str(folder)
    try:
        compiled = numba.njit(**options)(function)
        if is_known:
            compiled._cache = KernelCache(function)
        else:
            compiled.enable_caching()
        return compiled  # type: ignore[no-any-return]
    finally:
        config.CACHE_DIR = before


def specialize(template: ModuleType, **kernels: Callable[..., Any]) -> ModuleType:
    """The module `template` with some of its global kernels replaced, compiled once and cached like any other.

    A compiled loop that took kernels as arguments would be compiled anew in every process. So the template's source
    is written to the cache folder with the chosen kernels imported under the template's names.
    """
    lines = [f"from {k.__module__} import {k.__name__} as {name}" for name, k in sorted(kernels.items())]
    # The folder's name covers tacit's sources; kernels and templates of other packages count by their own files.
    files = {getattr(sys.modules.get(name), "__file__", None) for name in _homes(template, kernels.values())}
    texts = [Path(file).read_text() for file in sorted(file for file in files if file)]
    key = hashlib.sha256("\n".join([template.__name__, *lines, *texts]).encode()).hexdigest()[:16]
    name = f"_tacit_{template.__name__.rsplit('.', 1)[-1]}_{key}"
    if name in sys.modules:
        return sys.modules[name]
    folder = kernel_folder()
    source = Path(str(template.__file__)).read_text() + "\n\n# The kernels of this specialization.\n"
    source += "\n".join(line + "  # noqa" for line in lines) + "\n"
    if folder is None:
        module = ModuleType(name)
        sys.modules[name] = module
        exec(compile(source, f"<{name}>", "exec"), module.__dict__)
        return module
    path = folder / f"{name}.py"
    if not path.exists() or path.read_text() != source:
        scratch = path.with_suffix(f".{os.getpid()}.tmp")
        scratch.write_text(source)
        scratch.replace(path)
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _homes(template: ModuleType, kernels: Iterable[Callable[..., Any]]) -> set[str]:
    """The modules outside tacit that a specialization is made of."""
    names = {template.__name__, *(k.__module__ for k in kernels)}
    return {name for name in names if not name.startswith(("tacit.", "_tacit_"))}


def _forget_old(mine: Path, keep: int) -> None:
    """Delete all but the newest folders, never one's own; another process may be doing the same at this moment."""
    found = []
    for folder in mine.parent.iterdir():
        with suppress(OSError):
            found.append((folder.stat().st_mtime, folder))
    for _, old in sorted(found)[:-keep]:
        if old != mine:
            rmtree(old, ignore_errors=True)
