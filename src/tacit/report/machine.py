"""The machine and the versions behind a result, without anything that tells whose machine it is."""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version


def this_machine() -> dict[str, str]:
    """Operating system, processor, cores, and the versions of what the numbers depend on."""
    found = {
        "system": f"{platform.system()} {platform.machine()}",
        "cores": str(os.cpu_count() or "unknown"),
        "python": platform.python_version(),
    }
    for package in ("numpy", "numba", "llvmlite", "scipy", "polars", "iroh"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found
