"""Which way a metric is better: lower for errors and costs, higher for all others."""

from __future__ import annotations

ERRORS = frozenset({"rmse", "mae"})
"""Families of metrics of which less is better; of all others more is."""
COSTS = frozenset({"rounds_to_convergence", "seconds_to_convergence", "seconds"})
"""What a node spends: less is better, too."""


def lower_is_better(metric: str) -> bool:
    """Whether a smaller value of this metric is the better one.

    >>> lower_is_better("rmse"), lower_is_better("hr@20")
    (True, False)
    """
    return metric.partition("@")[0] in ERRORS | COSTS
