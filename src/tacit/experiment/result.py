"""`Result`: what a run gives back. Metrics, curve, cost, one row per user, and notes for the reader."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import polars as pl

VERSION = "0.2.0"


@dataclass(frozen=True, slots=True)
class Cost:
    """What a run sent and what it took."""

    bytes_sent: int = 0
    messages: int = 0
    node_rounds: int = 0
    virtual_hours: float = 0.0
    wall_seconds: float = 0.0
    """Learning and exchange only, without loading, compiling and evaluating."""
    compile_seconds: float = 0.0
    peak_rss_mb: float = 0.0
    more: Mapping[str, float] = field(default_factory=dict)
    """A protocol's own figures: cce, freshness, ..."""


@dataclass(frozen=True, slots=True)
class Result:
    """One finished run. `to_json` is the contract's object; the rest is what reports and tests are made of."""

    recipe: str
    seed: int
    parameters: Mapping[str, Any]
    data: Mapping[str, Any]
    """name, users, items, interactions, sha256"""
    split: Mapping[str, Any]
    """kind, its parameters, and the sizes train, test (and validation)"""
    metrics: Mapping[str, float]
    curve: list[dict[str, float]]
    """One dict per point: round, hours, bytes, and every metric."""
    cost: Cost
    per_user: pl.DataFrame
    """One row per user: user (the source's id), train, test (counts), every per-user metric, bytes_sent, messages."""
    per_item: pl.DataFrame = field(default_factory=pl.DataFrame)
    """One row per item, where an evaluation counts something for items."""
    observed: pl.DataFrame = field(default_factory=pl.DataFrame)
    """What the server saw of some clients, with `observe=server`."""
    more: Mapping[str, Any] = field(default_factory=dict)
    """Further objects of the JSON: bias@10, ..."""
    notes: list[str] = field(default_factory=list)
    """Sentences a reader must know: users without a test part, negatives=paper, ..."""
    label: str = ""
    """What the run is called in tables and figures; empty: by its recipe."""

    @property
    def name(self) -> str:
        """The label, or the recipe where there is none."""
        return self.label or self.recipe

    def to_json(self) -> dict[str, Any]:
        """The object of the command-line contract."""
        return {
            "tacit": VERSION,
            "recipe": self.recipe,
            **({"label": self.label} if self.label else {}),
            "seed": self.seed,
            "parameters": dict(self.parameters),
            "data": dict(self.data),
            "split": dict(self.split),
            "metrics": dict(self.metrics),
            "curve": self.curve,
            "cost": {name: getattr(self.cost, name) for name in Cost.__slots__ if name != "more"}
            | dict(self.cost.more),
            **self.more,
        }
