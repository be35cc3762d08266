"""A server that averages whole models, and compares each with the one it sent out."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tacit.attacks.base import Attack, Audited, Evidence, Finding, Progress, victims
from tacit.protocols.federated_averaging.simulation import AveragingSimulation

LOOKS = 20
"""Uploads of a victim that are looked at over a run."""


@dataclass(frozen=True, slots=True)
class CuriousAveragingServer(Attack):
    """How far each row moved from the server's own, and which way.

    All rows that a client touches move along one line, its own items one way, drawn negatives the other. Which way is
    which their steps tell: one's own items are fewer and go farther.
    """

    name: ClassVar[str] = "curious-averaging-server"
    against: ClassVar[tuple[str, ...]] = ("federated-averaging",)

    def look(self, run: Audited, tell: Progress) -> list[Finding]:
        """Let the federation run, and look at what victims would upload."""
        simulation, horizon = run.start()
        assert isinstance(simulation, AveragingSimulation)
        chosen = victims(run.table, run.scenario.seed).astype(np.int32)
        by: dict[str, dict[int, list[Evidence]]] = {
            name: defaultdict(list) for name in ("distance", "direction")
        }
        for look in range(LOOKS):
            simulation.advance(horizon * look // LOOKS)
            tell("models", (look + 1) / LOOKS)
            server, models = simulation.uploads(chosen)
            for n, u in enumerate(chosen.tolist()):
                moved = (models.rows[n] - server.rows[0]).astype(np.float64)
                along = moved @ np.linalg.eigh(moved.T @ moved)[1][:, -1]
                along *= np.sign((along**3).sum()) or 1.0
                by["distance"][u].append(np.sqrt((moved**2).sum(axis=1)))
                by["direction"][u].append(along)
        found: list[Finding] = []
        for what, each in by.items():
            found += run.judge(f"server, one upload, by {what}", {u: e[-1] for u, e in each.items()})
            whole = {u: np.sum(e, axis=0) for u, e in each.items()}
            found += run.judge(f"server, {LOOKS} uploads over a run, by {what}", whole)
        return found


attack = CuriousAveragingServer
