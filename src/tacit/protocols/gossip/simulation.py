"""Gossip in exact virtual time: every agent sends to a random peer each period; a receiver merges, then learns.

An agent is one user's device, or learns for a cluster of users (`members`): from their data, or by a federated round.

A message sent at t carries the state at t, takes `transfer`, and arrives if both ends stayed online throughout.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tacit.core.interactions import Interactions, Ints, Positions
from tacit.core.message import codec
from tacit.core.message.update import Shield
from tacit.core.rng import Stream, uniforms
from tacit.core.traffic import Traffic
from tacit.merges.base import Merge
from tacit.merges.row_merging import row_merging
from tacit.models.training import Average, on_halves, training
from tacit.peer_sampling.base import Sampler
from tacit.peer_sampling.graphs import Neighbours, valid_graph
from tacit.peer_sampling.uniform import Uniform
from tacit.privacy.subsample import Subsample, row_count
from tacit.protocols.gossip.learning_kernels import GossipNumbers, GroupData, make_learn_agent
from tacit.protocols.gossip.simulation_kernels import (
    Flight,
    Network,
    Nodes,
    Sent,
    make_exchange,
    make_receive,
    make_run,
)
from tacit.simulator.age_limit import AgeLimit
from tacit.simulator.checkpoint import Arrays, Picked, Reader
from tacit.simulator.event_order import (
    Merges,
    Turns,
    all_done,
    arrange,
    in_cache_order,
    make_take_turns,
    new_progress,
)
from tacit.simulator.fleet import Fleet, Parcels, as_saved, empty_slots, local, storage
from tacit.simulator.initialize import initialize
from tacit.simulator.outgoing_messages import Leaving
from tacit.simulator.simulation import Scenario, Simulation, ticks
from tacit.simulator.user_groups import UserGroups, alone
from tacit.simulator.virtual_time import RECEIVE, SEND, Events, new_messages, new_pool, plan, settle

_PERIODS, _AHEAD = 4, 3
"""How many periods are planned at once, and how far ahead of the earliest open merge another may run."""


class GossipSimulation(Simulation):
    """All agents of a gossip network."""

    def __init__(
        self,
        scenario: Scenario,
        merge: Merge,
        graph: Neighbours,
        *,
        share: float = 1.0,
        groups: UserGroups | None = None,
        federated: Average | None = None,
        sampler: Sampler | None = None,
        shields: tuple[Shield, ...] = (),
    ) -> None:
        """With `shields` beyond subsampling every message is copied and taken past them; it is as long on its way.

        `federated`: an agent's users take part in federated rounds, and this is what a row's mean is over.
        """
        model, train = scenario.model, scenario.train
        self._users = groups or alone(train.users)
        nodes, items, partition = self._users.agents, train.items, scenario.partition
        here, room = len(partition.own(nodes)), partition.room(nodes)
        sampler, graph = sampler or Uniform(), valid_graph(graph, nodes)
        travelling = items if share >= 1 else row_count(share, items)
        self._shields = (Subsample(share), *shields) if shields and share < 1 else shields
        rows = items if shields else travelling
        self._copied = bool(shields) or rows < items
        self._scenario, self._graph, self._data = (
            scenario,
            graph,
            local(train, model, scenario.dtype, partition),
        )
        kept = storage(scenario.dtype)
        halves = kept.rows == np.uint16
        self._hyper = model.hyper()
        # A federated round inside a cluster is a download and an upload; what agents send each other travels meanwhile.
        self.period = max(1, ticks(scenario.full_seconds * travelling / items)) * (2 if federated else 1)
        # Versions live in slots; at most every node's current one and every message in flight are different. Pages of
        # slots that are never used cost nothing.
        slots = empty_slots(here if self._copied else 2 * here + room + 2, items, model, scenario.dtype)
        self._slots, self._slot = slots, partition.places(nodes)
        self._private = np.zeros((train.users, model.private_size), kept.rest)
        self._agent = self._users.agent
        self._groups = GroupData(self._users.first, self._users.user, *_rated(train, self._users))
        parcels = 2 * here + room + 2 if self._copied else 0
        self._parcels = Parcels(
            np.zeros((parcels, rows if self._copied else 0), np.int32),
            np.zeros((parcels, rows, model.row_width), kept.rows),
            np.zeros((parcels, rows), kept.ages),
            np.zeros((parcels, model.dense_size), kept.rest),
            np.zeros(parcels, np.int64),
        )
        self._pool, self._messages = new_pool(parcels, 0), new_messages(3 * nodes)
        none = np.zeros(0, np.int32)
        self._flight = Flight(np.zeros(0, np.int64), none, none, none)
        """Messages that point to versions; copies are in `_messages`."""
        offsets = (
            uniforms(scenario.seed, Stream.START, 0, nodes, 1)[:, 0]
            if scenario.staggered
            else np.zeros(nodes)
        )
        self._due = (offsets * self.period).astype(np.int64)
        self._wakes = np.zeros(nodes, np.int64)
        self._rounds = np.zeros(nodes, np.int64)
        self._sent = Traffic.empty(nodes)
        dtype = np.dtype(scenario.dtype)
        size = codec.encoded_size(
            rows, model.row_width, model.dense_size, sparse=self._copied, itemsize=dtype.itemsize
        )
        self._numbers = GossipNumbers(
            scenario.seed, scenario.epochs, merge.shape, self.period, size, model.kernels.looks_up, sampler.shape,
        )  # fmt: skip
        # Copies leave before anything sent in the same window arrives; versions are planned for several periods.
        self._window = self.period if self._copied else _PERIODS * self.period
        self._merging, self._pick = row_merging(merge.weight, model.row_width, halves), sampler.pick
        learning = on_halves(training(model)) if halves else training(model)
        self._learn_agent = make_learn_agent(learning, federated)
        self._ages = AgeLimit((slots.ages, self._parcels.ages))
        self._receive = make_receive(self._merging, self._learn_agent)
        self.turns: Turns | None = None
        """The merges that ran last, where messages are whole versions."""
        self._more: Any = ()
        """What receiving needs beside what every gossip has."""
        initialize(scenario, slots, self._private, self._users, secure=federated is not None)

    @property
    def fleet(self) -> Fleet:  # type: ignore[override]
        """Every user's model is that of their agent."""
        return Fleet(self._slots, self._slot[self._agent], self._private)

    @property
    def traffic(self) -> Traffic:  # type: ignore[override]
        """What every agent sent."""
        return self._sent

    @property
    def node_rounds(self) -> int:  # type: ignore[override]
        """Models received, merged and learned from."""
        return int(self._rounds.sum())

    def wait(self) -> None:
        """Let first messages leave a period later (Hegedűs et al., algorithm 3, line 4)."""
        self._due += self.period

    def advance(self, until: int) -> None:
        """Let everything happen up to and including `until`."""
        window = self._window
        while self.now < until:
            end = min(self.now + window, until)
            if not self._copied:
                self._run_ahead(end)
            elif not self._run_window(end):
                window = max(1, window // 2)
                continue
            self.now = end

    def _run_ahead(self, end: int) -> None:
        """Everything up to `end`, in an order that keeps models in the cache."""
        scenario, t = self._scenario, self._sent
        slots, threads = len(self._slots.rows), scenario.workers.threads
        nodes, network = self._nodes(), Network(self._graph, scenario.sessions)
        nothing = np.zeros(0, np.int64)
        sent = Sent(nothing, self._slot[:0], t.updates, t.rows, t.rows_rated, t.bytes)
        by_time = np.argsort(self._due, kind="stable").astype(np.int32)
        merges, flight = make_exchange(self._pick)(
            end, slots, by_time, self._slot, self._flight, nodes, network, sent, self._numbers
        )
        # Models travel for a period: from node to node they get at most so far.
        self._ages.expect(merges.node, (end - self.now) // self.period + 2, scenario.epochs)
        merges, flight = self._cross(merges, flight)
        kept = np.zeros(slots + len(merges.at), np.bool_)
        kept[self._slot] = kept[flight.version] = True
        slot = np.concatenate((np.arange(slots, dtype=np.int32), np.empty(len(merges.at), np.int32)))
        order = in_cache_order(merges, slots, kept, _AHEAD * self.period, threads)
        turns, fits = arrange(merges, slots, kept, order, threads, slot)
        if not fits:  # in order of time there are never more versions than nodes and messages in flight
            order = np.arange(len(order), dtype=np.int32)
            turns, fits = arrange(merges, slots, kept, order, threads, slot)
            assert fits
        self.turns = turns
        progress, take_turns = new_progress(threads), make_take_turns(self._receive)
        while not all_done(progress, turns):
            scenario.workers.run(
                take_turns, threads, merges, turns, progress, nodes, self._numbers, self._hyper, self._more
            )
        self._slot[:] = slot[self._slot]
        self._flight = flight._replace(version=slot[flight.version])

    def _run_window(self, end: int) -> bool:
        events, sends = plan(
            end, self._wakes_here(), self._scenario.sessions, self._slot, self._messages, self._pool, False
        )
        if sends < 0:
            return False
        received = events.kind == RECEIVE
        self._ages.expect(np.repeat(events.active, np.diff(events.first))[received], 1, self._scenario.epochs)
        t = self._sent
        # What passes shields is counted once it has.
        counts = (
            (np.zeros_like(t.rows) for _ in range(3)) if self._shields else (t.rows, t.rows_rated, t.bytes)
        )
        sent = Sent(np.full(sends, -1), np.empty(sends, np.int32), t.updates, *counts)
        self._handle(events, sent)
        if self._shields:
            self._shield(events, sent)
        self._cross_copies(events, sent)
        settle(end, events, sent.arrive, sent.receiver, self._messages, self._pool, 1)
        woke = self._due <= end
        self._due[woke] += self.period
        self._wakes[woke] += 1
        return True

    def _cross(self, merges: Merges, flight: Flight) -> tuple[Merges, Flight]:
        """The merges of nodes that are here, with the models they need; here all are."""
        return merges, flight

    def _cross_copies(self, events: Events, sent: Sent) -> None:
        """Send copies to nodes that are elsewhere, and take in theirs; here none is."""

    def _wakes_here(self) -> Ints:
        """When the nodes that are here are due."""
        return self._due

    def _handle(self, events: Events, sent: Sent) -> None:
        """Every node's events of a window."""
        nodes, network = self._nodes(), Network(self._graph, self._scenario.sessions)
        self._scenario.workers.run(
            make_run(self._pick, self._receive), len(events.active), events, nodes, network, sent, self._numbers,
            self._hyper, self._more,
        )  # fmt: skip

    def _nodes(self) -> Nodes:
        return Nodes(
            self._slots, self._parcels, self._private, self._data, self._groups, self._due, self._wakes, self._rounds
        )  # fmt: skip

    def _shield(self, events: Events, sent: Sent) -> None:
        """What was sent in a window arrives after it: time to take it past the shields, and to count what leaves."""
        leaving = Leaving(self._scenario.model.fields, self._shields, self._scenario.seed)
        for e in np.flatnonzero(events.kind == SEND):
            u = int(events.sender[e])
            if sent.arrive[events.message[e]] < 0:
                continue
            rated = self._groups.rated[self._groups.start[u] : self._groups.start[u + 1]]
            at, event = int(events.after[e]), int(self._wakes[u])
            leaving.release_parcel(self._parcels, at, rated, u, event, self._sent)

    def _in_flight(self) -> Flight:
        if not self._copied:
            return self._flight
        m, count = self._messages, int(self._messages.in_flight[0])
        return Flight(m.arrive[:count], m.sender[:count], m.receiver[:count], m.payload[:count])

    def save(self) -> Arrays:
        """Everything needed to go on later and end with the same bits: slots that are in use, numbered anew."""
        flight, nodes = self._in_flight(), len(self._due)
        payloads = np.unique(flight.version)
        slots = np.arange(nodes) if self._copied else np.unique(np.concatenate((self._slot, payloads)))
        parcels = payloads if self._copied else payloads[:0]
        place = np.zeros(max(len(self._pool.users), len(self._slots.rows)), np.int32)
        place[parcels if self._copied else slots] = np.arange(len(parcels) if self._copied else len(slots))
        return {
            **{name: Picked(as_saved(name, array), slots) for name, array in self._slots._asdict().items()},
            **{
                f"parcel_{name}": Picked(as_saved(name, array), parcels)
                for name, array in self._parcels._asdict().items()
            },
            "slot": (self._slot if self._copied else place[self._slot])[self._agent],
            "memory": self._data.memory,
            "private": self._private,
            "arrive": flight.arrive,
            "sender": flight.sender,
            "receiver": flight.receiver,
            "payload": place[flight.version],
            "due": self._due,
            "wakes": self._wakes,
            "rounds": self._rounds,
            "traffic": self._sent.stack(),
            "now": np.array([self.now]),
        }

    def restore(self, arrays: Reader) -> None:
        """Go on from what `save` gave and `checkpoint.write` wrote."""
        for name, array in self._slots._asdict().items():
            arrays.into(name, as_saved(name, array))
        for name, array in self._parcels._asdict().items():
            parcels = arrays.into(f"parcel_{name}", as_saved(name, array))
        self._ages.look()
        self._slot[self._agent] = arrays["slot"]
        arrays.into("memory", self._data.memory)
        arrays.into("private", self._private)
        arrays.into("due", self._due)
        arrays.into("wakes", self._wakes)
        arrays.into("rounds", self._rounds)
        self._sent.restore(arrays["traffic"])
        self.now = int(arrays["now"][0])
        if not self._copied:
            self._flight = Flight(*(arrays[name] for name in ("arrive", "sender", "receiver", "payload")))
            return
        for name in ("arrive", "sender", "receiver", "payload"):
            self._messages.in_flight[0] = arrays.into(name, getattr(self._messages, name))
        self._pool = new_pool(len(self._pool.users), parcels)
        self._pool.current[:] = False
        np.add.at(self._pool.users, self._messages.payload[: self._messages.in_flight[0]], 1)


def _rated(train: Interactions, users: UserGroups) -> tuple[Ints, Positions]:
    """The rows each agent's users have data about, ascending: where each agent's part begins, and the rows."""
    if users.agents == train.users:
        return train.start, train.item
    pairs = np.unique(users.agent[train.user].astype(np.int64) * train.items + train.item)
    owner, item = np.divmod(pairs, train.items)
    start = np.concatenate(([0], np.cumsum(np.bincount(owner, minlength=users.agents))))
    return start.astype(np.int64), item.astype(np.int32)
