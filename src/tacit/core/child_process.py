"""The environment of a child process: `python -m tacit...` finds there what this process found."""

from __future__ import annotations

import os
import sys


def environment() -> dict[str, str]:
    """This process's environment with its import path, so that the child imports the same packages from any folder."""
    return os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
