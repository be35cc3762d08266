"""Attacks on shares of sums: a receiver, two of them, one with the victim's partner, and whoever sees everything.

A victim's first share of an epoch is the worst: half of its own statistics and masks, and next to nothing of anybody
else's. Its later shares, and what it received, only add other people's; sent minus received is the same again. So
"everything" is the first share of every epoch. Attackers are given more than they would have: the victim's own vector
p. With it they add the evidence of B_j.p to that of n_j in the best proportion, the likelihood ratio. All coordinates
are masked alike.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from tacit.attacks.base import Attack, Audited, Evidence, Finding, Progress, victims
from tacit.core.errors import BadInput
from tacit.protocols.push_sum.masks import mask
from tacit.protocols.push_sum.protocol import PushSum
from tacit.protocols.push_sum.simulation import PushSumSimulation
from tacit.protocols.push_sum.state import EPOCH, GOOD, SENT_EPOCH, TRIES, Book

RECEIVER = "receiver, first share of an epoch"
TASTE = "receiver, first share, by p p' alone"
LATER = "receiver, tenth share of an epoch"
TWO = "two receivers, first two shares of an epoch"
PARTNER = "receiver with one of the victim's partners"
HALF = "receiver with half of the victim's partners"
"""What is learned from a victim that withdrew as many masks as it may: receivers see the noise it takes back out."""
ALL_PARTNERS = "receiver with all of the victim's partners"
EVERYTHING = "everything sent in a run"
EVERYTHING_PARTNER = "everything sent in a run, with one partner"


def look_at_shares(
    simulation: PushSumSimulation, run: Audited, horizon: int, settings: dict[str, float], tell: Progress
) -> list[Finding]:
    """Let the network run, and look at what victims send."""
    chosen = victims(run.table, run.scenario.seed).tolist()
    found: dict[str, dict[int, list[Evidence]]] = defaultdict(lambda: defaultdict(list))
    seen = dict.fromkeys(chosen, (-1, -1, 0))
    step, masked = simulation.period // 2, simulation.masks > 0
    while simulation.now < horizon:
        simulation.advance(min(simulation.now + step, horizon))
        tell("with masks" if masked else "without masks", simulation.now / horizon)
        for u in chosen:
            clock = simulation.book.clock[u]
            epoch, sent, count = seen[u]
            now = (int(clock[SENT_EPOCH]), int(simulation.traffic.updates[u]))
            if now[1] == max(sent, 0) or clock[TRIES] != 1 or clock[EPOCH] != clock[SENT_EPOCH]:
                continue
            count = count + 1 if now[0] == epoch else 1
            seen[u] = (*now, count)
            if count in (1, 2, 10):
                _look(simulation.book, u, count, simulation.masks, found)
    last = int(simulation.book.clock[:, GOOD].max())
    told = {**settings, "epochs": float(last + 1)}
    names = [RECEIVER, TASTE, LATER, TWO, *((PARTNER, HALF, ALL_PARTNERS) if masked else ()), EVERYTHING]
    names += [EVERYTHING_PARTNER] if masked else []
    return [
        finding
        for name in names
        for finding in run.judge(name, {u: _pieces(name, each) for u, each in found[name].items()}, told)
    ]


def _pieces(name: str, each: list[Evidence]) -> list[Evidence]:
    """What an attacker goes by, per epoch or over all epochs: one message, two, or all."""
    if name in (EVERYTHING, EVERYTHING_PARTNER):
        return [np.sum(each, axis=0)]
    if name == TWO:
        return [a + b for a, b in zip(each[::2], each[1::2], strict=False)]
    return each


def _look(book: Book, u: int, count: int, masks: float, found: dict[str, dict[int, list[Evidence]]]) -> None:
    share = book.words[u].view(np.float16).astype(np.float64)
    whole = _evidence(book, u, share)
    if count == 10:
        found[LATER][u].append(whole)
        return
    found[TWO][u].append(whole)
    if count == 2:
        return
    found[RECEIVER][u].append(whole)
    found[EVERYTHING][u].append(whole)
    found[TASTE][u].append(_taste(book, u, share))
    if masks > 0:
        one = _evidence(book, u, share - 0.5 * _shared(book, u, [0], masks))
        found[PARTNER][u].append(one)
        found[EVERYTHING_PARTNER][u].append(one)
        everyone = list(range(book.partner.shape[1]))
        half = everyone[: len(everyone) // 2]
        found[HALF][u].append(_evidence(book, u, share - 0.5 * _shared(book, u, half, masks)))
        found[ALL_PARTNERS][u].append(_evidence(book, u, share - 0.5 * _shared(book, u, everyone, masks)))


def _evidence(book: Book, u: int, share: Evidence) -> Evidence:
    """n_j + B_j.p, per weight."""
    k = book.private.shape[1]
    items, _, columns = book.sizes
    table = share[: items * columns].reshape(items, columns)
    return (table[:, k] + table[:, :k] @ book.private[u].astype(np.float64)) / share[-1]  # type: ignore[no-any-return]


def _taste(book: Book, u: int, share: Evidence) -> Evidence:
    """The vector that p p' gives away, and what it makes of the rows everybody has."""
    k = book.private.shape[1]
    rows = book.rows[u].view(np.float16).astype(np.float64).reshape(-1, k)
    lower = share[len(rows) * book.sizes[2] :][: k * (k + 1) // 2]
    square = np.zeros((k, k))
    square[np.tril_indices(k)] = lower
    square = square + np.tril(square, -1).T
    _, vectors = np.linalg.eigh(square)
    likes = rows @ vectors[:, -1]
    return likes if likes.sum() >= 0 else -likes  # type: ignore[no-any-return]


def _shared(book: Book, u: int, which: list[int], masks: float) -> Evidence:
    """The masks that some of a node's partners know, in its present epoch."""
    nothing = np.zeros(book.sums.shape[1], np.float32)
    partner = book.partner[u].copy()
    partner[~np.isin(np.arange(len(partner)), which)] = -1
    mask(int(book.number[u]), partner, book.key[u], int(book.clock[u, SENT_EPOCH]), masks, nothing)
    return nothing.astype(np.float64)


@dataclass(frozen=True, slots=True)
class CuriousPartner(Attack):
    """Receivers, alone and together with partners, with masks and without."""

    name: ClassVar[str] = "curious-partner"
    against: ClassVar[tuple[str, ...]] = ("push-sum",)

    def look(self, run: Audited, tell: Progress) -> list[Finding]:
        """Let the network run without masks, and with those that are set."""
        assert isinstance(run.protocol, PushSum)
        if run.scenario.model.name != "ials":
            got = f"model {run.scenario.model.name}"
            raise BadInput("audit", got=got, allowed="model ials with protocol push-sum")
        found = []
        for masks in dict.fromkeys((0.0, run.protocol.masks)):
            simulation, end = run.start(replace(run.protocol, masks=masks))
            assert isinstance(simulation, PushSumSimulation)
            found += look_at_shares(simulation, run, end, {"masks": masks}, tell)
        return found


attack = CuriousPartner
