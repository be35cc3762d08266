"""A merge as another package would have it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from tacit.merges.age_average import weight


@dataclass(frozen=True, slots=True)
class Mine:
    """Like the average by age."""

    name: ClassVar[str] = "mine"
    shape: ClassVar[float] = 0.0
    weight: Any = weight


merge = Mine
