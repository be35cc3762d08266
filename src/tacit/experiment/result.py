"""`Result`: what a run gives back. Metrics, curve, cost, one row per user, and notes for the reader."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Any

import polars as pl

from tacit.core.errors import BadInput
from tacit.core.node_state import Floats
from tacit.core.python_words import in_python
from tacit.core.scorer import Scores
from tacit.experiment.kinds_of_lists import evaluation_of, headline_of, in_brackets, list_of

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

    `recommend`, `lists`, `score` and `item_factors` need its models. They are in the folder of the run, or in memory
    where it has none.
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
        first = headline_of(self.parameters)
        names = sorted(self.metrics, key=lambda name: name != first)
        shown = ", ".join(
            ", ".join(f"{name} {_shown(name, self.metrics[name])}" for name in alike) + in_brackets(kind)
            for kind, alike in groupby(names[:3], self.list_of)
        )
        more = f" and {len(names) - 3} more" if len(names) > 3 else ""
        sent = f"; {self.cost.bytes_sent / 1e6:,.1f} MB sent, {self.cost.virtual_hours:g} virtual hours"
        if self.parameters.get("protocol") == "baseline":
            sent = ""
        return f"<Result {self.recipe} on {self.data['name']}, seed {self.seed}: {shown}{more}{sent}>"

    @in_python
    def recommend(self, user: str | int, n: int = 10) -> Recommended:
        """The n best items for a user, by the model that their own node ended with.

        Args:
            user: the user's id, as in the data.
            n: how many items. Items of which this node has never heard are left out.

        Returns:
            The items, best first, with titles, scores and what they are near to.
        """
        return self._models().recommend(user, n)

    def lists(self, k: int = 10) -> pl.DataFrame:
        """Everybody's k best items, as `evaluate=full` ranks them.

        Args:
            k: how many items per user.

        Returns:
            A frame with one row per listed item: user, item, rank (from 1), score.
        """
        return self._models().lists(k)

    def score(self, users: Ids, items: Ids) -> Scores:
        """The score of each (user, item) pair.

        Args:
            users: ids as in the data, or a single id for all pairs.
            items: ids as in the data, or a single id for all pairs.

        Returns:
            One number per pair.
        """
        return self._models().score(users, items)

    def item_factors(self, user: str | int | None = None) -> Floats:
        """The item factors of a model.

        Args:
            user: the user whose node is asked. It can be left out where all share one model, as with a server.

        Returns:
            One row per item, in the order of `items`.
        """
        return self._models().item_factors(user)

    def parts(self) -> pl.DataFrame:
        """Which pair is in which part.

        Returns:
            A frame with the columns user, item, rating, timestamp and split. `split=given` reads it again.
        """
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


def _shown(metric: str, value: float | None) -> str:
    """A metric's value; a count stays whole."""
    if value is None:
        return "none"
    return f"{value:.0f}" if metric.startswith("item_coverage") else f"{value:.4f}"
