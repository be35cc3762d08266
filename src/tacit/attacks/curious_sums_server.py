"""A server that adds up statistics. Clients return those of the rows they have, and of no others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tacit.attacks.base import Attack, Audited, Finding, Progress, victims


@dataclass(frozen=True, slots=True)
class CuriousSumsServer(Attack):
    """It reads what a client has off the rows that it returns."""

    name: ClassVar[str] = "curious-sums-server"
    against: ClassVar[tuple[str, ...]] = ("federated-sums",)

    def look(self, run: Audited, tell: Progress) -> list[Finding]:
        """One upload says it all."""
        train, evidence = run.scenario.train, {}
        for u in victims(run.table, run.scenario.seed).tolist():
            evidence[u] = np.zeros(train.items)
            evidence[u][train.of(u)[0]] = 1
        return run.judge("server, one upload", evidence)


attack = CuriousSumsServer
