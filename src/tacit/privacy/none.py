"""No shield: what is shared leaves as it is."""

from __future__ import annotations

from dataclasses import dataclass

from tacit.core.interactions import Positions
from tacit.core.message.update import Draws, Update


@dataclass(frozen=True, slots=True)
class Nothing:
    """Change nothing."""

    def apply(self, update: Update, rated: Positions, draws: Draws) -> Update:
        """The update itself."""
        return update


shield = Nothing
