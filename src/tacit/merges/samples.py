"""Weighted by sample count: a model counts as much as its sender has training data (decentralized FedAvg)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tacit.merges.base import SAMPLES


@dataclass(frozen=True, slots=True)
class Samples:
    """Whole models, weighted by |D_i| and |D_x|; the number travels with the model."""

    name: ClassVar[str] = "samples"
    basis: ClassVar[int] = SAMPLES


merge = Samples
