"""Gossip and federated matrix factorization (Hegedűs et al. 2020), once more, as plainly as possible.

This is what the real simulator is compared with: one heap of events, every message a copy of arrays, float64,
and numpy's own random generator, so that nothing but the paper is shared between the two. Only the innermost
loop over ratings is compiled.

    python tests/golden/naive_hegedus.py --data movielens-100k.parquet --algorithm gossip-merge --epochs 1
"""

from __future__ import annotations

import argparse
import heapq
from dataclasses import dataclass
from typing import Any

import numba
import numpy as np

from tacit.core.interactions import Interactions

ALGORITHMS = ("gossip", "gossip-merge", "gossip-10", "federated", "federated-10")
MASTER = -1
# What happens at one instant, in this order: arrivals, then sends, then the evaluation of the result.
ARRIVE, SEND, EVALUATE = 0, 1, 2


def microseconds(seconds: float) -> int:
    """Time is counted in whole microseconds, so that equal times are equal."""
    return round(seconds * 1e6)


@dataclass
class Model:
    """The part that travels: age t, factors Y and bias c of every item."""

    t: np.ndarray
    Y: np.ndarray
    c: np.ndarray

    def copy(self) -> Model:
        return Model(self.t.copy(), self.Y.copy(), self.c.copy())


@dataclass
class Message:
    """The rows `rows` of a model; all of them when nothing is compressed."""

    receiver: int
    rows: np.ndarray
    t: np.ndarray
    Y: np.ndarray
    c: np.ndarray


@numba.njit
def one_pass(items, ratings, t, Y, c, x, b, eta, lam):
    """The update rule over one user's ratings in ascending item order; returns the new user bias."""
    for n in range(len(items)):
        i = items[n]
        t[i] += 1
        err = ratings[n] - np.dot(x, Y[i]) - b - c[i]
        old_row = Y[i].copy()
        Y[i] = (1 - eta * lam) * old_row + eta * err * x
        x[:] = (1 - eta * lam) * x + eta * err * old_row
        c[i] += eta * err
        b += eta * err
    return b


class Simulation:
    """Everything the two protocols share: data and private parts, the clock, who is online, the metric."""

    def __init__(self, train, test, *, k, eta, lam, epochs, full_seconds, s, online, scale, seed, lazy):
        self.users, self.items = train.users, train.items
        self.data = [split(train, u) for u in range(self.users)]
        self.unrated = [np.setdiff1d(np.arange(self.items), items) for items, _ in self.data]
        self.test = [split(test, u) for u in range(self.users)]
        self.k, self.eta, self.lam, self.epochs, self.s, self.lazy = k, eta, lam, epochs, s, lazy
        self.low, self.high = scale
        self.rng = np.random.default_rng(seed)
        self.sessions = online
        self.full_transfer = microseconds(full_seconds)
        self.transfer = self.full_transfer if s is None else microseconds(full_seconds * s / self.items)
        self.x = [self.random_factors(1)[0] for _ in range(self.users)]
        self.b = [self.low / 2] * self.users
        self.events: list[tuple[int, int, int, int, Any]] = []
        self.serial = 0  # keeps the heap from comparing messages
        self.messages = 0  # all that were sent, lost ones included

    # --- initialization, update, compression: Section 5 of the paper ---

    def random_factors(self, rows: int) -> np.ndarray:
        return self.rng.random((rows, self.k)) * np.sqrt((self.high - self.low) / self.k)

    def new_model(self) -> Model:
        bias = np.full(self.items, self.low / 2)
        return Model(np.zeros(self.items, np.int64), self.random_factors(self.items), bias)

    def update(self, model: Model, u: int) -> None:
        items, ratings = self.data[u]
        for _ in range(self.epochs):
            self.b[u] = one_pass(
                items, ratings, model.t, model.Y, model.c, self.x[u], self.b[u], self.eta, self.lam
            )

    def choose_rows(self, u: int) -> np.ndarray:
        """compress: all rows, or s of them, those the sender has ratings for first."""
        if self.s is None:
            return np.arange(self.items)
        rated = self.data[u][0]
        first = self.rng.choice(rated, min(self.s, len(rated)), replace=False)
        rest = self.rng.choice(self.unrated[u], self.s - len(first), replace=False)
        return np.concatenate((first, rest))

    # --- time and availability ---

    def is_online(self, u: int, at: int) -> bool:
        return self.stays_online(u, at, at)

    def stays_online(self, u: int, since: int, until: int) -> bool:
        """Online at every moment of since .. until, both included; a session holds its start, not its end."""
        if u == MASTER or self.sessions is None or self.sessions[u] is None:
            return True
        return any(
            microseconds(begin) <= since and until < microseconds(end) for begin, end in self.sessions[u]
        )

    def schedule(self, at: int, kind: int, who: int, what: Any = None) -> None:
        heapq.heappush(self.events, (at, kind, who, self.serial, what))
        self.serial += 1

    def send(self, now: int, sender: int, message: Message, takes: int) -> None:
        """The message arrives, or is lost because one of its ends left meanwhile."""
        self.messages += 1
        if self.stays_online(sender, now, now + takes) and self.stays_online(
            message.receiver, now, now + takes
        ):
            self.schedule(now + takes, ARRIVE, sender, message)

    def run(self, eval_hours) -> list[dict[str, float]]:
        results: list[dict[str, float]] = []
        for hours in eval_hours:
            self.schedule(microseconds(hours * 3600), EVALUATE, 0, hours)
        while len(results) < len(eval_hours):
            now, kind, who, _, what = heapq.heappop(self.events)
            if kind == ARRIVE:
                self.arrived(now, who, what)
            elif kind == SEND:
                self.tick(now, who)
            else:
                results.append({"hours": what, "rmse": self.rmse(now), "messages": self.messages})
        return results

    # --- metric ---

    def rmse(self, now: int) -> float:
        """Pooled over the test ratings of the nodes that are online now; nan when there are none."""
        squares = [np.zeros(0)]
        for u in range(self.users):
            items, ratings = self.test[u]
            if len(items) and self.is_online(u, now):
                squares.append((ratings - self.predict(u, items)) ** 2)
        errors = np.concatenate(squares)
        return float(np.sqrt(errors.mean())) if len(errors) else float("nan")

    def predict(self, u: int, items: np.ndarray) -> np.ndarray:
        model = self.model_of(u)
        full = model.Y[items] @ self.x[u] + self.b[u] + model.c[items]
        if not self.lazy:
            return full
        if not self.has_model(u):
            return np.full(len(items), (self.low + self.high) / 2)
        return np.where(model.t[items] > 0, full, self.b[u])

    def model_of(self, u: int) -> Model:
        raise NotImplementedError

    def has_model(self, u: int) -> bool:
        raise NotImplementedError

    def arrived(self, now: int, sender: int, message: Message) -> None:
        raise NotImplementedError

    def tick(self, now: int, who: int) -> None:
        raise NotImplementedError


class Gossip(Simulation):
    """Algorithms 3 and 4: every node sends to a random online neighbour once a cycle."""

    def __init__(self, *args, merge: bool, start: str, **kwargs):
        super().__init__(*args, **kwargs)
        self.merge = merge
        self.models = [self.new_model() for _ in range(self.users)]
        self.neighbours = []
        for u in range(self.users):
            others = np.array([v for v in range(self.users) if v != u], np.int64)
            self.neighbours.append(self.rng.choice(others, min(20, len(others)), replace=False))
        for u in range(self.users):
            self.schedule(0 if start == "synchronous" else int(self.rng.integers(self.transfer)), SEND, u)

    def tick(self, now: int, who: int) -> None:
        self.schedule(now + self.transfer, SEND, who)
        if not self.is_online(who, now):
            return
        peers = [v for v in self.neighbours[who] if self.is_online(v, now)]
        if not peers:
            return
        peer = int(self.rng.choice(peers))
        rows, mine = self.choose_rows(who), self.models[who]
        # Indexing by an array copies: the message carries the state of this moment.
        self.send(now, who, Message(peer, rows, mine.t[rows], mine.Y[rows], mine.c[rows]), self.transfer)

    def arrived(self, now: int, sender: int, message: Message) -> None:
        u = message.receiver
        if self.merge:
            merge_average(self.models[u], message)
        else:
            self.models[u] = Model(message.t, message.Y, message.c)
        self.update(self.models[u], u)

    def model_of(self, u: int) -> Model:
        return self.models[u]

    def has_model(self, u: int) -> bool:
        return bool(self.models[u].t.any())


def merge_average(mine: Model, message: Message) -> None:
    """Rows weighted by age; rows of age 0 are ignored."""
    known = message.t != 0
    rows, theirs = message.rows[known], message.t[known]
    w = theirs / (mine.t[rows] + theirs)
    mine.Y[rows] = (1 - w)[:, None] * mine.Y[rows] + w[:, None] * message.Y[known]
    mine.c[rows] = (1 - w) * mine.c[rows] + w * message.c[known]
    mine.t[rows] = np.maximum(mine.t[rows], theirs)


class Federated(Simulation):
    """Algorithms 1 and 2: rounds of one full download, local learning, and one upload, compressed or not."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.model = self.new_model()
        self.trained = [False] * self.users
        self.sums: Model | None = None
        self.schedule(0, SEND, MASTER)

    def tick(self, now: int, who: int) -> None:
        """The end of one round and the start of the next."""
        if self.sums is not None:
            for i in np.flatnonzero(self.sums.t):
                self.model.Y[i] += self.sums.Y[i] / self.sums.t[i]
                self.model.c[i] += self.sums.c[i] / self.sums.t[i]
                self.model.t[i] += 1
        self.sums = Model(
            np.zeros(self.items, np.int64), np.zeros((self.items, self.k)), np.zeros(self.items)
        )
        self.schedule(now + self.full_transfer + self.transfer, SEND, MASTER)
        for u in range(self.users):
            if self.is_online(u, now):
                whole = self.model.copy()
                message = Message(u, np.arange(self.items), whole.t, whole.Y, whole.c)
                self.send(now, MASTER, message, self.full_transfer)

    def arrived(self, now: int, sender: int, message: Message) -> None:
        if message.receiver == MASTER:
            assert self.sums is not None
            self.sums.t[message.rows] += message.t
            self.sums.Y[message.rows] += message.Y
            self.sums.c[message.rows] += message.c
            return
        u = message.receiver
        before = Model(message.t, message.Y, message.c)
        after = before.copy()
        self.update(after, u)
        self.trained[u] = True
        rows = self.choose_rows(u)
        touched = np.isin(rows, self.data[u][0]).astype(np.int64)
        change = Message(
            MASTER, rows, touched, after.Y[rows] - before.Y[rows], after.c[rows] - before.c[rows]
        )
        self.send(now, u, change, self.transfer)

    def model_of(self, u: int) -> Model:
        return self.model

    def has_model(self, u: int) -> bool:
        return self.trained[u]


def split(table: Interactions, u: int) -> tuple[np.ndarray, np.ndarray]:
    items, ratings = table.of(u)
    return items.astype(np.int64), ratings.astype(np.float64)


def simulate(
    algorithm: str,
    train: Interactions,
    test: Interactions,
    *,
    k: int = 5,
    eta: float = 0.01,
    lam: float = 0.1,
    epochs: int = 1,
    full_seconds: float = 1728.0,
    hours: float = 48.0,
    start: str = "staggered",
    online: list[list[tuple[float, float]] | None] | None = None,
    scale: tuple[float, float] = (1, 5),
    seed: int = 0,
    eval_hours: tuple[float, ...] | list[float] = (5, 10, 24, 48),
    lazy: bool = False,
) -> list[dict[str, float]]:
    """RMSE and messages sent at each of `eval_hours` up to `hours`.

    `online`: a list of sessions (begin, end) in seconds for each node, disjoint; None: always online. `lazy`
    changes predictions only: a node without any model says the middle of the scale, one that never got the
    item's row (age 0) says its user bias. `start` means nothing to federated learning: its rounds start at 0.
    """
    if algorithm not in ALGORITHMS:
        raise ValueError(f"{algorithm} is none of {ALGORITHMS}")
    if start not in ("staggered", "synchronous"):
        raise ValueError(f"start {start} is neither staggered nor synchronous")
    shared = {
        "k": k, "eta": eta, "lam": lam, "epochs": epochs, "full_seconds": full_seconds,
        "s": train.items // 10 if algorithm.endswith("-10") else None,
        "online": online, "scale": scale, "seed": seed, "lazy": lazy,
    }  # fmt: skip
    simulation: Simulation
    if algorithm.startswith("gossip"):
        simulation = Gossip(train, test, merge=algorithm != "gossip", start=start, **shared)
    else:
        simulation = Federated(train, test, **shared)
    return simulation.run([h for h in sorted(eval_hours) if h <= hours])


def random_10(table: Interactions, seed: int) -> tuple[Interactions, Interactions]:
    """10 random ratings of every user with more than 10 as test set."""
    rng = np.random.default_rng(seed)
    held_out = np.zeros(len(table), bool)
    for u in range(table.users):
        entries = np.arange(table.start[u], table.start[u + 1])
        if len(entries) > 10:
            held_out[rng.choice(entries, 10, replace=False)] = True
    return table.take(~held_out), table.take(held_out)


def read(path: str) -> Interactions:
    """A parquet file with columns user, item, rating; ids of any kind."""
    import polars as pl

    frame = pl.read_parquet(path)
    users, user = np.unique(frame["user"].to_numpy(), return_inverse=True)
    items, item = np.unique(frame["item"].to_numpy(), return_inverse=True)
    rating = frame["rating"].to_numpy()
    return Interactions.from_pairs(user, item, rating, users=len(users), items=len(items))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", required=True, help="parquet file with columns user, item, rating")
    parser.add_argument("--algorithm", choices=ALGORITHMS, default="gossip-merge")
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--start", choices=("staggered", "synchronous"), default="staggered")
    parser.add_argument("--full-seconds", type=float, default=1728.0)
    parser.add_argument("--eval-hours", type=float, nargs="+", default=[5, 10, 24, 48])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--lazy", action="store_true")
    chosen = parser.parse_args()
    train, test = random_10(read(chosen.data), chosen.seed)
    rows = simulate(
        chosen.algorithm, train, test, epochs=chosen.epochs, full_seconds=chosen.full_seconds,
        hours=max(chosen.eval_hours), start=chosen.start, seed=chosen.seed, eval_hours=chosen.eval_hours,
        lazy=chosen.lazy,
    )  # fmt: skip
    lines = ["algorithm,epochs,start,hours,rmse,messages,seed"]
    lines += [
        f"{chosen.algorithm},{chosen.epochs},{chosen.start},{r['hours']:g},{r['rmse']:.6f},{r['messages']},{chosen.seed}"
        for r in rows
    ]
    print("\n".join(lines))  # noqa: T201


if __name__ == "__main__":
    main()
