"""Weighted by model age: a model counts as much as it has been updated, by any node (PEPPER's competitor)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tacit.merges.base import CLOCK


@dataclass(frozen=True, slots=True)
class ModelAge:
    """Whole models, weighted by their clocks."""

    name: ClassVar[str] = "model-age"
    basis: ClassVar[int] = CLOCK


merge = ModelAge
