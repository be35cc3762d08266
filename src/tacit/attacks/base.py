"""What an attack is, and what it is judged by: how well it tells a victim's items from others.

An attack's module holds a frozen dataclass under the name `attack`. It says which protocols it is against, builds and
advances a simulation of one, looks at what an attacker would see, and returns findings.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from tacit.core.interactions import Interactions, Ints
from tacit.core.rng import Stream, permutation
from tacit.metrics.auc import auc
from tacit.metrics.expected_precision import expected_precision
from tacit.metrics.matched_auc import matched_auc
from tacit.protocols.base import Protocol
from tacit.simulator.simulation import Scenario, Simulation

Evidence = npt.NDArray[np.float64]
"""One number per item: the higher, the more it looks like the victim's."""
Progress = Callable[[str, float], None]
"""Told what is being attacked, and how much of it is done."""
VICTIMS = 50


@dataclass(frozen=True, slots=True)
class Finding:
    """How well an attacker did, the mean over victims."""

    attacker: str
    auc: float
    """Against other items of the same popularity: 0.5 is nothing."""
    auc_all: float
    """Against all other items; ranking by popularity alone is above 0.5 here."""
    precision: float
    """Of as many top items as the victim has, how many are theirs."""
    settings: dict[str, float] = field(default_factory=dict)
    """What was set for this one."""

    def to_json(self) -> dict[str, float | str]:
        """The contract's entry."""
        return {
            "attacker": self.attacker,
            "auc": self.auc,
            "auc_all": self.auc_all,
            "precision@|I|": self.precision,
            **self.settings,
        }


@dataclass(frozen=True, slots=True)
class Audited:
    """A run that is to be attacked."""

    protocol: Protocol
    scenario: Scenario
    horizon: Callable[[int], int]
    """How long it lasts, given the length of a round."""
    has: Interactions | None = None
    """Everything that victims have to hide; None: what they learn from."""
    kept_back: Interactions | None = None
    """What of it never leaves, by its kind or because it was drawn once; None: nothing."""
    at_pi: Callable[[float], Audited] | None = None
    """The same run at another pi for all; None: only its updates are held back."""
    pi: float = 1.0
    """The share that is disclosed, the mean over all."""
    own_pi: bool = False
    """Whether somebody set a pi for this run, so that it is the one to look at."""

    @property
    def table(self) -> Interactions:
        """What attackers are judged by."""
        return self.scenario.train if self.has is None else self.has

    def at(self, pi: float) -> Audited:
        """The same run at another pi for all."""
        if self.at_pi is not None:
            return self.at_pi(pi)
        each = np.full(self.table.users, pi)
        return replace(self, scenario=replace(self.scenario, pi=each), pi=pi)

    def judge(
        self,
        attacker: str,
        evidence: Mapping[int, Evidence | list[Evidence]],
        settings: dict[str, float] | None = None,
    ) -> list[Finding]:
        """How well an attacker tells what victims have, and what they keep back, where that is only some of it."""
        found = [judge(attacker, evidence, self.table, settings)]
        if self.kept_back is not None and 0 < len(self.kept_back) < len(self.table):
            name = f"{attacker}, what is kept back"
            found.append(judge(name, evidence, self.kept_back, settings, self.table))
        return found

    def start(self, protocol: Protocol | None = None, **changes: Any) -> tuple[Simulation, int]:
        """A simulation of it, or of a variant, and when it ends."""
        simulation = (protocol or self.protocol).build(replace(self.scenario, **changes))
        return simulation, self.horizon(simulation.period)


class Attack(ABC):
    """An attacker."""

    name: ClassVar[str]
    against: ClassVar[tuple[str, ...]]
    """The names of the protocols whose messages it knows how to read."""

    @abstractmethod
    def look(self, run: Audited, tell: Progress) -> list[Finding]:
        """Play the attacker. `tell` is called with the progress."""


def victims(train: Interactions, seed: int, count: int = VICTIMS) -> Ints:
    """Some users with something to hide, drawn once per seed."""
    order = permutation(seed, Stream.AUDITED, 0, 0, train.users)
    return np.sort(order[train.counts[order] > 0][:count])


def judge(
    attacker: str,
    evidence: Mapping[int, Evidence | list[Evidence]],
    train: Interactions,
    settings: dict[str, float] | None = None,
    all_of_it: Interactions | None = None,
) -> Finding:
    """Compare evidence about each victim with what they have; several pieces of it one by one, as a mean over all.

    Where `train` is only a part of what they have (`all_of_it`), the rest is compared with nothing.
    """
    whole = train if all_of_it is None else all_of_it
    popularity = np.bincount(whole.item, minlength=whole.items)
    each = []
    for victim, pieces in evidence.items():
        has, known = (_has(table, victim) for table in (train, whole))
        if not has.any():
            continue
        # Nobody's own part in an item's popularity is known to an attacker.
        asked = has | ~known
        has, public = has[asked], (popularity - known)[asked]
        for piece in pieces if isinstance(pieces, list) else [pieces]:
            score = piece[asked]
            each.append((matched_auc(score, has, public), auc(score, has), expected_precision(score, has)))
    matched, plain, right = np.nanmean(np.array(each), axis=0).tolist() if each else [float("nan")] * 3
    return Finding(attacker, matched, plain, right, settings or {})


def _has(table: Interactions, user: int) -> npt.NDArray[np.bool_]:
    has = np.zeros(table.items, np.bool_)
    has[table.of(user)[0]] = True
    return has


def knowing_popularity(train: Interactions, chosen: Ints) -> Finding:
    """Somebody who received nothing, and ranks by what everybody knows."""
    popularity = np.bincount(train.item, minlength=train.items).astype(np.float64)
    evidence = {}
    for u in chosen.tolist():
        evidence[u] = popularity.copy()
        evidence[u][train.of(u)[0]] -= 1
    return judge("nobody: popularity alone", evidence, train)
