"""`Result`: what a run gives back. Metrics, curve, cost, one row per user, and notes for the reader."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import polars as pl

from tacit.core.errors import BadInput
from tacit.core.node_state import Floats
from tacit.core.scorer import Scores
from tacit.experiment.kinds_of_lists import evaluation_of, list_of

if TYPE_CHECKING:
    from tacit.experiment.recommend import Recommended
    from tacit.experiment.trained import Ids, Trained

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


@dataclass(frozen=True, slots=True, repr=False)
class Result:
    """One finished run. `to_json` is the contract's object; the rest is what reports and tests are made of.

    Its models can be asked (`recommend`, `lists`, `score`, `item_factors`) where they were kept: in the folder of the
    run, or in memory where it has none.
    """

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
    evaluation: Mapping[str, Any] = field(default_factory=dict)
    """kind, what kind of list its metrics at K are of, and the share of ranks that ties decided"""
    more: Mapping[str, Any] = field(default_factory=dict)
    """Further objects of the JSON: bias@10, ..."""
    notes: list[str] = field(default_factory=list)
    """Sentences a reader must know: users without a test part, negatives=paper, ..."""
    label: str = ""
    """What the run is called in tables and figures; empty: by its recipe."""
    trained: Trained | None = field(default=None, compare=False)
    """The models it ended with; None where they were not kept."""

    def __repr__(self) -> str:
        shown = ", ".join(
            f"{name} {'none' if value is None else format(value, '.4f')}"
            for name, value in list(self.metrics.items())[:3]
        )
        more = f" and {len(self.metrics) - 3} more" if len(self.metrics) > 3 else ""
        sent = f"{self.cost.bytes_sent / 1e6:,.1f} MB sent, {self.cost.virtual_hours:g} virtual hours"
        return f"<Result {self.recipe} on {self.data['name']}, seed {self.seed}: {shown}{more}; {sent}>"

    def recommend(self, user: str | int, n: int = 10) -> Recommended:
        """The n best items for a user, by the model that their own node ended with.

        Items of which this node has never heard are left out.
        """
        return self._models().recommend(user, n)

    def lists(self, k: int = 10) -> pl.DataFrame:
        """Everybody's k best items, as `evaluate=full` ranks them: user, item, rank (from 1), score."""
        return self._models().lists(k)

    def score(self, users: Ids, items: Ids) -> Scores:
        """The score of each (user, item) pair, by ids as in the data; one of the two may be a single id."""
        return self._models().score(users, items)

    def item_factors(self, user: str | int | None = None) -> Floats:
        """One row per item, in the order of `items`, of a user's own node; without a user where all share one."""
        return self._models().item_factors(user)

    def parts(self) -> pl.DataFrame:
        """Which pair is in which part: user, item, rating, timestamp, split. `split=given` reads it again."""
        return self._models().parts()

    @property
    def items(self) -> pl.DataFrame:
        """The catalogue: item (its id), title and what else is known."""
        return self._models().items

    def _models(self) -> Trained:
        if self.trained is None:
            allowed = "a run that kept them: tacit.run, or the first seed of a comparison with out="
            raise BadInput("models", got="none", allowed=allowed)
        return self.trained

    def list_of(self, metric: str) -> str:
        """What kind of list a metric is of, in words; nothing for one without a cut-off."""
        return list_of(metric, self.evaluation or evaluation_of(self.parameters))

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
            "evaluation": dict(self.evaluation),
            "notes": list(self.notes),
            **self.more,
        }
