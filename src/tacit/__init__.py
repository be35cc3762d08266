"""Recommendations that people's devices learn from each other, and a simulator that measures what they give away.

import tacit
result = tacit.run("hegedus/gossip-merge", data="movielens-100k")
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tacit.api import compare as compare
    from tacit.api import recommend as recommend
    from tacit.api import run as run
    from tacit.api import sweep as sweep
    from tacit.data.dataset import load as load
    from tacit.experiment.recipes import recipes as recipes
    from tacit.report.notebook import Comparison as Comparison
    from tacit.report.notebook import Result as Result
    from tacit.report.notebook import Sweep as Sweep

__version__ = "0.2.0"
__all__ = [
    "Comparison",
    "Result",
    "Sweep",
    "__version__",
    "compare",
    "load",
    "recipes",
    "recommend",
    "run",
    "sweep",
]

_HOMES = {
    "run": "tacit.api",
    "compare": "tacit.api",
    "recommend": "tacit.api",
    "sweep": "tacit.api",
    "Comparison": "tacit.report.notebook",
    "load": "tacit.data.dataset",
    "recipes": "tacit.experiment.recipes",
    "Result": "tacit.report.notebook",
    "Sweep": "tacit.report.notebook",
}


def __getattr__(name: str) -> Any:
    """Import the heavy parts only when they are used, so that `tacit --help` answers at once."""
    if name not in _HOMES:
        raise AttributeError(f"module 'tacit' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return [*__all__, "extending", "testing"]
