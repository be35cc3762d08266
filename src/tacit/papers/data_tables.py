"""Table 1 of a paper: what it prints about its data sets, beside ours."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from tacit.core.interactions import Interactions
from tacit.data.dataset import Dataset, load
from tacit.data.sources.locate import at_hand
from tacit.experiment.prepare import prepare
from tacit.papers.base import Fact

EXACT = 0.005
"""How far off a count may be: papers round."""


@cache
def whole(name: str, min_user: int = 0, min_item: int = 0) -> Dataset | None:
    """A data set, filtered; None where it is not at hand. Nothing is downloaded for a table of sizes."""
    return load(name, min_user=min_user, min_item=min_item) if at_hand(name) else None


@cache
def training_part(name: str) -> tuple[Dataset, Interactions] | None:
    """A data set and its training part as FPL and FedeRank split it: the latest fifth of each user is held out."""
    if not at_hand(name):
        return None
    experiment = prepare("baseline/popular", name)
    return experiment.dataset, experiment.split.train


def facts(panel: str, ours: Mapping[str, float] | None, paper: Mapping[str, float]) -> list[Fact]:
    """A line for each number that the paper prints; without ours where the data set is not at hand."""
    return [
        Fact(panel, name, name, None if ours is None else ours[name], printed, EXACT)
        for name, printed in paper.items()
    ]
