"""Compiled code comes from disk without the compiler, and goes on working when the compiler comes after all."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tacit.core.compiling import is_known

kernel_cache: Any = pytest.importorskip("tacit.core.kernel_cache")

KERNELS = """
import numpy as np
from tacit.core.compiling import kernel

@kernel
def spread(n):
    out = np.empty(n)
    for i in range(n):
        out[i] = np.exp(i) + np.log1p(i)
    return out

@kernel
def solved(a, b):
    return np.linalg.solve(a, b)

@kernel
def total(n):
    return spread(n).sum()
"""
SCRIPT = """
import sys
import numpy as np
sys.path.insert(0, sys.argv[1])
import some_kernels as k
x = k.spread(4)
assert np.allclose(x, np.exp(np.arange(4)) + np.log1p(np.arange(4)))
compiler = "numba.np.linalg" in sys.modules
if "bad" in sys.argv:
    try:
        k.spread("x")
    except Exception as error:
        assert "TypingError" in type(error).__name__, error
if "linalg" in sys.argv:
    assert np.allclose(k.solved(2 * np.eye(3), np.ones(3)), 0.5)
if "total" in sys.argv:
    assert np.isclose(k.total(4), x.sum())
print("compiler" if compiler else "disk")
"""


def run(folder: Path, *words: str) -> str:
    done = subprocess.run(
        [sys.executable, "-B", "-c", SCRIPT, str(folder), *words], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.skipif(not is_known, reason="another Numba than those looked into: its own cache is used")
def test_what_was_compiled_is_loaded_without_the_compiler(tmp_path: Path) -> None:
    (tmp_path / "some_kernels.py").write_text(KERNELS)
    assert run(tmp_path, "linalg") == "compiler"
    assert run(tmp_path) == "disk"
    assert run(tmp_path, "linalg") == "disk", "code that calls LAPACK finds it"
    assert run(tmp_path, "total") == "disk", "a new kernel is compiled around one that came from disk"
    assert run(tmp_path, "total", "bad") == "disk", "and what cannot be compiled is told as ever"


@pytest.mark.skipif(not is_known, reason="another Numba than those looked into: its own cache is used")
def test_two_processes_that_compile_at_once_never_find_the_others_code(tmp_path: Path) -> None:
    one, other = (kernel_cache._Files(str(tmp_path), "f", "stamp") for _ in range(2))
    before = one._load_index()
    one.save("int64", "code for int64")
    other._load_index = lambda: before  # it had looked before the first one was done
    other.save("float64", "code for float64")
    assert one.load("float64") == "code for float64"
    assert one.load("int64") in (None, "code for int64")
    one.save("int64", "code for int64")
    assert (one.load("int64"), one.load("float64")) == ("code for int64", "code for float64")
