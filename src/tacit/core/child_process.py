"""The environment of a child process: `python -m tacit...` finds there what this process found."""

from __future__ import annotations

import os
import sys


def environment() -> dict[str, str]:
    """So that `python -m tacit...` finds what this process found, wherever it was started from."""
    return os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
