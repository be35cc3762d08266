"""An attack of another package that names a protocol wrongly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tacit.extending import Attack, Audited, Finding, Progress


@dataclass(frozen=True, slots=True)
class Typo(Attack):
    """Against nobody."""

    name: ClassVar[str] = "typo"
    against: ClassVar[tuple[str, ...]] = ("gosip",)

    def look(self, run: Audited, tell: Progress) -> list[Finding]:
        """Never asked."""
        return []


attack = Typo
