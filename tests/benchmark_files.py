"""Benchmarks as modules, for tests that run a small version of them."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType


def benchmark_file(name: str) -> ModuleType:
    path = Path(__file__).parents[1] / "benchmarks" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
