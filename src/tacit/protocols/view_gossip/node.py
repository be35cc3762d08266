"""A PEPPER node as a state machine: *wake* and *message* in, *send* out. No I/O, no clock.

    node = ViewNode(...)
    sends = node.wake()                              every period: the model, to everybody in the view
    node.receive(sender, update, samples, view)      on a message: weigh, merge, learn

Where models are weighed by data, a message also says how much data its sender has. Where nodes find strangers in views,
it also holds the sender's view (`ViewNode.told`). No message says how well a model did.

The same node, with other habits, is decentralized FedAvg, model-age-based gossip or decentralized Reptile.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tacit.core.errors import BadMessage
from tacit.core.interactions import Positions
from tacit.core.message.update import Draws, Send, Shield, Update, release
from tacit.core.node_state import NodeState
from tacit.core.traffic import Entry
from tacit.merges.base import SCORE, ModelMerge
from tacit.merges.performance import Performance
from tacit.models.base import Model, memory_sizes, sample_counts, vector_size
from tacit.models.training import training
from tacit.peer_sampling.personalized import hear, remember, renew_view
from tacit.protocols.view_gossip import kernels as view_kernels
from tacit.protocols.view_gossip.kernels import make_receive

READ_OUT = {"local": view_kernels.LOCAL, "merged": view_kernels.MERGED, "averaged": view_kernels.AVERAGED}
_OLDEST = 2**30


@dataclass(frozen=True, slots=True)
class Habits:
    """What all nodes of a network agree on."""

    merge: ModelMerge
    view: int = 3
    alpha: float = 0.4
    """Share of the view that is drawn at random."""
    period: int = 1
    """Rounds between two updates of the view."""
    memory: int = 100
    """Senders whose scores a node remembers."""
    best: bool = False
    """Whether it remembers a sender's best score, not the last."""
    from_views: bool = True
    """Whether strangers come from the views that peers send along, not from everybody."""
    step: float = 1.0
    step_vector: bool = True
    """Whether a person's own vector makes the step, too."""
    common: bool = True
    """Whether all nodes start from the same model: its seed is one of the hyper-parameters handed out once."""
    refresh: int = 0
    """Rounds after which a node sets another weighting set aside; 0: never."""
    read_out: str = "local"
    fresh: float = 0.1
    shields: tuple[Shield, ...] = ()
    """What changes a model on its way out. Models are weighed as a whole, so all rows have to leave."""

    @property
    def negatives(self) -> int:
        """Items the weighting set is ranked among."""
        return self.merge.negatives if isinstance(self.merge, Performance) else Performance().negatives

    @property
    def per_item(self) -> bool:
        """Whether each item of the weighting set is ranked among items of its own."""
        return isinstance(self.merge, Performance) and self.merge.drawn == "item"


@dataclass(frozen=True, slots=True)
class Agreed:
    """A network's model, habits and seed."""

    model: Model
    habits: Habits
    seed: int
    epochs: int = 1
    dtype: str = "float32"


def rules_of(habits: Habits, seed: int, epochs: int, vector: int) -> view_kernels.Rules:
    """The habits as the kernels want them; `vector`: how many numbers of the private part are the person's vector."""
    merge = habits.merge
    weigher = merge if isinstance(merge, Performance) else Performance()
    return view_kernels.Rules(
        seed=seed,
        epochs=epochs,
        basis=merge.basis,
        scored=merge.basis == SCORE or habits.alpha < 1,
        together=weigher.metric == "f1",
        k=weigher.k,
        step=np.float32(habits.step),
        read_out=READ_OUT[habits.read_out],
        fresh=np.float32(habits.fresh),
        best=habits.best,
        vector=vector if habits.step_vector else 0,
    )


def heard_size(habits: Habits, view: int) -> int:
    """Room for what the last |view| messages told: each its sender and a view. Nothing where nobody listens."""
    return view * (1 + view) if habits.from_views else 0


class ViewNode:
    """One person's node in a network of `nodes`."""

    def __init__(
        self,
        number: int,
        nodes: int,
        agreed: Agreed,
        items: int,
        own: Positions,
        weighting: int,
        avoid: Positions | None = None,
    ) -> None:
        """`weighting`: how many of its `own` items it sets aside; `avoid`: what negatives are outside of, or `own`."""
        model, habits, seed, epochs, dtype = (
            agreed.model,
            agreed.habits,
            agreed.seed,
            agreed.epochs,
            agreed.dtype,
        )
        self.number, self.nodes, self.model, self.habits, self.own = number, nodes, model, habits, own
        self._hyper, self._rules = model.hyper(), rules_of(habits, seed, epochs, vector_size(model))
        self._avoid = own[:0] if avoid is None else avoid
        aside = weighting if self._rules.scored else 0
        count = len(own) - aside if avoid is None else len(avoid)
        counted = sample_counts(model)
        self.samples = len(own) - aside if counted is None else int(counted[number])
        self.data = view_kernels.Data(
            np.zeros(count, np.int32),
            np.zeros(count, np.float32),
            np.zeros(aside, np.int32),
            np.zeros((max(1, aside) if habits.per_item else 1, habits.negatives), np.int32),
        )
        self.state = NodeState(
            rows=np.zeros((items, model.row_width), dtype),
            ages=np.zeros(items, np.int32),
            dense=np.zeros(model.dense_size, dtype),
            clock=0,
            private=np.zeros(model.private_size, dtype),
            memory=np.zeros(memory_sizes(model).total(count, items), dtype),
        )
        s = self.state
        model.kernels.init_rows(seed, 0 if habits.common else number, s.rows, s.dense, self._hyper)
        model.kernels.init_private(seed, number, s.private, self._hyper)
        self._mine = view_kernels.Model(s.rows, s.ages, s.dense)
        shown = (s.rows.copy(), s.ages.copy(), s.dense.copy())
        self.shown = self._mine if habits.read_out == "local" else view_kernels.Model(*shown)
        """What this node recommends with."""
        remembered = min(habits.memory, nodes - 1) if self._rules.scored else 0
        self._peers, self._scores = np.full(remembered, -1, np.int32), np.zeros(remembered, np.float32)
        self._view = np.full(min(habits.view, nodes - 1), -1, np.int32)
        self._heard = np.full(heard_size(habits, len(self._view)), -1, np.int32)
        self.ledger: list[Entry] = []
        self.received = 0
        self._rounds = 0
        self._receive = make_receive(model.kernels.score, training(model).train)
        self._divide(0)

    def _divide(self, event: int) -> None:
        items = len(self.state.rows)
        view_kernels.divide(self._rules.seed, self.number, event, self.own, self._avoid, items, self.data)

    def wake(self) -> list[Send]:
        """The round's messages: one model, to everybody in the view, which is renewed when its time has come."""
        r, h, seed = self._rounds, self.habits, self._rules.seed
        self._rounds += 1
        if h.refresh and r and r % h.refresh == 0 and self._rules.scored:
            self._divide(r // h.refresh)
        if r % h.period == 0:
            event = r // h.period
            renew_view(
                (seed, self.number, event), self.nodes, h.alpha, self._peers, self._scores, self._heard, self._view
            )  # fmt: skip
        update = release(self.model.fields, self.state, self.own, h.shields, Draws(seed, self.number, r))
        return [Send(int(peer), update) for peer in self._view]

    def told(self) -> Positions:
        """What a message says about the view: its peers by number, so not which of them did best; or nothing."""
        return np.sort(self._view) if self.habits.from_views else self._view[:0]

    def receive(self, sender: int, update: Update, samples: int = 0, view: Positions | None = None) -> None:
        """Weigh a received model, mix it into one's own, learn from one's own data.

        `samples` and `view` are what came along: how much data the sender has, and who is in its view.
        """
        s = self.state
        got = (len(update.rows), update.rows.shape[1], len(update.dense), update.rows.dtype.name)
        own = (len(s.rows), s.rows.shape[1], len(s.dense), s.rows.dtype.name)
        if got != own or update.index is not None:
            raise BadMessage(
                f"model (rows, width, dense, numbers): got {got}; allowed: this node's own {own}, whole"
            )
        came = self._view[:0] if view is None else view
        if self.habits.from_views and not self._is_view(came):
            what = f"{len(self._view)} different peers, numbers from 0 to {self.nodes - 1}"
            raise BadMessage(f"view: got {came.tolist()}; allowed: {what}")
        theirs = view_kernels.Model(update.rows, np.minimum(update.ages, _OLDEST), update.dense)
        clock, score = self._receive(
            view_kernels.Version(self._mine, s.clock, self.samples),
            view_kernels.Version(theirs, min(update.clock, _OLDEST), max(0, samples)), self._mine, self.shown,
            view_kernels.Person(s.private, s.memory), self.data, (self._rules.seed, self.number, self.received),
            self._rules, self._hyper,
        )  # fmt: skip
        if self._rules.scored:
            remember(self._peers, self._scores, sender, score, self._rules.best)
        if self.habits.from_views:
            hear(self._heard, self.received, self.number, sender, came)
        s.clock = int(clock)
        self.received += 1

    def _is_view(self, peers: Positions) -> bool:
        """Whether what came could be a view of somebody in this network."""
        inside = bool(((peers >= 0) & (peers < self.nodes)).all())
        return inside and len(peers) == len(self._view) == len(np.unique(peers))
