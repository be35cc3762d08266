"""Runs made of recorded numbers, to judge a claim again by what was written down about it."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import polars as pl

from tacit.experiment.result import Cost, Result
from tacit.papers.base import Outcomes, Paper, Wanted
from tacit.papers.measured import recorded_numbers


def outcomes(paper: Paper, version: str) -> Outcomes:
    """A run for each setting with recorded numbers. A metric without a record is absent, never 0."""
    known = {line.place: float(line.ours) for line in recorded_numbers(paper.name) if line.version == version}
    found: dict[Wanted, dict[str, float]] = defaultdict(dict)
    ratios = []
    for exhibit in paper.exhibits:
        for row in exhibit.rows(False):
            value = known.get((exhibit.name, row.panel, row.name, row.metric))
            if value is None:
                continue
            if row.over is None:
                found[row.wanted][row.metric] = value
            else:
                ratios.append((row, value))
    for row, value in ratios:
        unit = found[row.over].get(row.metric) if row.over else None
        if unit is not None:
            found[row.wanted].setdefault(row.metric, value * unit)
    return Outcomes(False, {wanted: [_run(wanted, metrics)] for wanted, metrics in found.items()})


def _run(wanted: Wanted, metrics: dict[str, float]) -> Result:
    more: dict[str, Any] = {"bias@10": {}, "spread": defaultdict(dict)}
    plain = {}
    for name, value in metrics.items():
        family, _, category = name.partition(":")
        metric, _, where = name.partition(" ")
        if family == "bias_disparity":
            more["bias@10"][category] = {"disparity": value}
        elif where:
            more["spread"][metric][where] = value
        else:
            plain[name] = value
    return Result(
        wanted.recipe, 0, dict(wanted.settings), {}, {}, plain, [], Cost(), pl.DataFrame(), more=more
    )
