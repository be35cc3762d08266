"""Recommendations that people's devices learn from each other, and a simulator that measures what they give away.

import tacit
result = tacit.run("hegedus/gossip-merge", data="movielens-100k")
"""

from __future__ import annotations

from tacit.core.lazy import lazy_names

__version__ = "0.2.0"
__getattr__, _names = lazy_names(
    __name__,
    {
        "tacit.api": "audit compare open recommend reproduce run sweep table",
        "tacit.core.errors": "BadInput TacitError",
        "tacit.data.dataset": "Dataset load",
        "tacit.experiment.callbacks": "CsvLogger Measured",
        "tacit.experiment.recipes": "recipes",
        "tacit.report.notebook": "Comparison Result Sweep plot",
    },
)
__all__ = ["__version__", *_names]


def __dir__() -> list[str]:
    return [*__all__, "extending", "testing"]
