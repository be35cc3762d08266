"""Attacks on gossiped models: a receiver compares what came with its own model, and sees which rows moved.

A node that learns from its own data moves the rows of its own items and makes them older. Every other row is only
merged. A receiver's evidence compares a row with its own copy. The row can be older, be far away, or score higher for
the receiver. Learning pushes own items up and drawn negatives down. Where only some rows travel (`subsample`, or
another shield), which rows travel is evidence too, because own rows go first. Over a run the evidence of all messages
is added.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from tacit.attacks.base import Attack, Audited, Evidence, Finding, Progress, victims
from tacit.core.interactions import Positions
from tacit.core.message.update import Draws, Shield, release
from tacit.core.node_state import NodeState
from tacit.core.rng import Stream, below
from tacit.models.base import Model
from tacit.models.score_all import score_all
from tacit.privacy.none import Nothing
from tacit.privacy.subsample import Subsample
from tacit.protocols.base import Protocol, shields_of

LOOKS = 20
"""Messages of a victim that are looked at over a run."""


@dataclass(frozen=True, slots=True)
class CuriousReceiver(Attack):
    """A node that keeps what it receives."""

    name: ClassVar[str] = "curious-receiver"
    against: ClassVar[tuple[str, ...]] = ("gossip", "view-gossip")

    def look(self, run: Audited, tell: Progress) -> list[Finding]:
        """Let the network run, and look at models as they leave victims, past their shields."""
        simulation, horizon = run.start()
        train, seed, model = run.scenario.train, run.scenario.seed, run.scenario.model
        shields = _shields(run.protocol)
        chosen = victims(run.table, seed).tolist()
        by: dict[str, dict[int, list[Evidence]]] = {
            name: defaultdict(list) for name in ("ages", "rows", "scores", "presence")
        }
        for look in range(1, LOOKS + 1):
            simulation.advance(horizon * look // LOOKS)
            tell("models", look / LOOKS)
            for u in chosen:
                other = below(seed, Stream.AUDITED, u, look, 0, train.users - 1)
                other += other >= u
                mine, theirs = simulation.fleet.node(u), simulation.fleet.node(other)
                came, travels = _message(model, mine, train.of(u)[0], shields, Draws(seed, u, look))
                gap = (came.ages - theirs.ages).astype(np.float64)
                far = np.sqrt(((came.rows - theirs.rows).astype(np.float64) ** 2).sum(axis=1))
                by["ages"][u].append(np.where(travels, gap, gap.min()))
                by["rows"][u].append(np.where(travels, far, 0.0))
                asked = NodeState(came.rows, came.ages, came.dense, came.clock, theirs.private)
                higher = _scores(model, asked) - _scores(model, theirs)
                by["scores"][u].append(np.where(travels, higher, 0.0))
                by["presence"][u].append(travels.astype(np.float64))
        if all(one.all() for each in by["presence"].values() for one in each):
            del by["presence"]
        found: list[Finding] = []
        for what, each in by.items():
            found += run.judge(f"receiver, one message, by {what}", {u: e[-1] for u, e in each.items()})
            two = {u: e[-1] + e[-2] for u, e in each.items()}
            found += run.judge(f"two receivers, a message each, by {what}", two)
            whole = {u: np.sum(e, axis=0) for u, e in each.items()}
            found += run.judge(f"{LOOKS} messages over a run, by {what}", whole)
        return found


def _shields(protocol: Protocol) -> list[Shield]:
    """What messages pass on their way out."""
    share = getattr(protocol, "subsample", 1.0)
    return [*([Subsample(share)] if share < 1 else []), *shields_of(getattr(protocol, "shield", Nothing()))]


def _message(
    model: Model, state: NodeState, rated: Positions, shields: Sequence[Shield], draws: Draws
) -> tuple[NodeState, npt.NDArray[np.bool_]]:
    """A node's model as it leaves, and which rows do; what stays is as it was, and not to be looked at."""
    update = release(model.fields, state, rated, shields, draws)
    index = slice(None) if update.index is None else update.index
    rows, ages, travels = state.rows.copy(), state.ages.copy(), np.zeros(len(state.rows), np.bool_)
    rows[index], ages[index], travels[index] = update.rows, update.ages, True
    return NodeState(rows, ages, update.dense, update.clock, state.private), travels


def _scores(model: Model, state: NodeState) -> npt.NDArray[np.float64]:
    return score_all(model, state.rows, state.dense, state.private)


attack = CuriousReceiver
