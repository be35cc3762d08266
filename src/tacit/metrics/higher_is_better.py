"""Which way a metric is better: lower for errors, higher for all others."""

from __future__ import annotations

ERRORS = frozenset({"rmse", "mae"})
"""Families of metrics of which less is better; of all others more is."""


def lower_is_better(metric: str) -> bool:
    """Whether a smaller value of this metric is the better one.

    >>> lower_is_better("rmse"), lower_is_better("hr@20")
    (True, False)
    """
    return metric.partition("@")[0] in ERRORS
