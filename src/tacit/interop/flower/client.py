"""The ClientApp: joins, learns and measures on this client's own csv, by a rule's client half.

A client that Flower simulates (`partition-id`) takes the csv of that number from the project and draws by the run's
seed. Any other names its csv with --node-config and draws by a secret seed. A server that knew the seed could
recompute which items were drawn, and so which are the person's own.

Whatever goes wrong is written to this client's own log. The server is told only that it did.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from logging import ERROR
from pathlib import Path

import numpy as np
import polars as pl
from flwr.app import Context, Message, RecordDict
from flwr.clientapp import ClientApp
from flwr.common.logger import log

from tacit.core.errors import BadInput, TacitError
from tacit.core.node_state import NodeState, Ratings
from tacit.experiment.result import VERSION
from tacit.interop.flower import kept, wire
from tacit.interop.flower.federation import Federation, check_pi
from tacit.interop.flower.measure import best_items, metric_sums
from tacit.interop.flower.own_data import OwnData, read_own
from tacit.interop.flower.rules.base import Person, Rule, Turn
from tacit.interop.flower.rules.choose import rule_of


def client_app(folder: Path) -> ClientApp:
    """The app of a project whose files are in a folder."""
    app = ClientApp()
    for register, answer in ((app.query, join), (app.train, learn), (app.evaluate, measure)):
        register()(_careful(folder, answer))
    return app


@cache
def _agreed(folder: Path) -> tuple[Federation, Rule]:
    federation = Federation.read(folder)
    return federation, rule_of(federation)


@dataclass(slots=True)
class Client:
    """One client in one round."""

    federation: Federation
    rule: Rule
    csv: Path
    run: int
    seed: int
    people: list[Person]
    """Those who have something to learn from."""
    token: str
    own_csv: bool
    pi: float

    def rehearse(self) -> None:
        """Compile what a round needs, so that the first round is not the slow one. Nothing comes of it."""
        people = [
            person._replace(private=person.private.copy(), memory=person.memory.copy())
            for person in self.people
        ]
        facts = {"mean_items": 1.0, "triples": 1.0}
        self.rule.answer(people, self.rule.start(), Turn(0, self.seed, facts, self.pi))

    def save(self) -> None:
        """Keep what the next round needs."""
        kept.save(kept.file_of(self.csv, self.run), self.run, self.seed, self.people, self.token)


def open_client(folder: Path, context: Context) -> Client:
    """A client as it was after the last round, or as it starts."""
    federation, rule = _agreed(folder)
    node, own = context.node_config, "csv" in context.node_config
    if own:
        csv = Path(str(node["csv"])).expanduser()
    elif "partition-id" in node and context.run_config.get("partitions"):
        csv = Path(str(context.run_config["partitions"])) / f"{node['partition-id']}.csv"
    else:
        raise BadInput("csv", got="none", allowed="--node-config 'csv=\"/path/to/ratings.csv\"'")
    pi = _pi(node.get("pi", federation.parameters["pi"]), federation)
    found = kept.load(kept.file_of(csv, context.run_id), context.run_id)
    if found is not None:
        return Client(federation, rule, csv, context.run_id, *found, own, pi)
    first, step = (0, 1) if own else (int(node["partition-id"]), int(node.get("num-partitions", 1)))
    seed = secrets.randbits(62) if own else federation.seed
    token = secrets.token_hex(8) if own else f"partition {first}"
    train = read_own(csv, federation).split.train
    people = [
        rule.person(first + step * at, Ratings(*train.of(at)), seed)
        for at in range(train.users)
        if train.counts[at]
    ]
    return Client(federation, rule, csv, context.run_id, seed, people, token, own, pi)


def join(folder: Path, message: Message, context: Context) -> RecordDict:
    """What the server must know of a client: that it fits, its number, and how many people it learns for."""
    client = open_client(folder, context)
    if not client.people:
        raise BadInput(
            "csv", got="nobody with anything to train on", allowed="at least one row", where=client.csv
        )
    client.save()
    client.rehearse()
    ratings = sum(len(person.own.items) for person in client.people) if client.rule.asks_ratings else -1
    return wire.content(
        tacit=VERSION,
        fingerprint=client.federation.fingerprint,
        number=int(context.node_config.get("partition-id", -1)),
        token=client.token,
        people=len(client.people),
        ratings=ratings,
    )


def learn(folder: Path, message: Message, context: Context) -> RecordDict:
    """A round: the server's model comes, an update past everything that keeps it private goes."""
    client = open_client(folder, context)
    server = wire.model_in(message, client.rule.dtype)
    number = wire.whole(wire.about(message), "turn", 0, 2**31 - 1)
    turn = Turn(number, client.seed, wire.facts(message), client.pi)
    update = client.rule.answer(client.people, server, turn)
    client.save()
    return wire.content(update)


def measure(folder: Path, message: Message, context: Context) -> RecordDict:
    """Sums of metrics. At the end a client with a csv of its own also writes what it recommends to its people."""
    client = open_client(folder, context)
    server = wire.model_in(message, client.rule.dtype)
    client.rule.settle(client.people, server, wire.facts(message))
    own = read_own(client.csv, client.federation)
    everybody = _matched(client, own)
    if wire.about(message)["last"] and client.own_csv:
        _write_recommended(client, own, everybody, server)
    return wire.content(metrics=metric_sums(client.federation, own, everybody, server))


def _matched(client: Client, own: OwnData) -> list[Person | None]:
    """The person behind each user of the csv, None where there was nothing to learn from."""
    train, here = own.split.train, iter(client.people)
    everybody = [next(here, None) if count else None for count in train.counts.tolist()]
    same = all(
        np.array_equal(train.of(at)[0], person.own.items if person else [])
        for at, person in enumerate(everybody)
    )
    if not same or next(here, None) is not None:
        raise BadInput(
            "csv",
            got="other people or items than when the run began",
            allowed="the same file",
            where=client.csv,
        )
    return everybody


def _write_recommended(
    client: Client, own: OwnData, everybody: list[Person | None], server: NodeState
) -> None:
    rows = [
        {"user": user, "rank": rank, "item": found.key, "title": found.title, "score": found.score}
        for at, (user, person) in enumerate(zip(own.dataset.user_ids.tolist(), everybody, strict=True))
        if person is not None
        for rank, found in enumerate(best_items(client.federation, own, at, person, server), 1)
    ]
    pl.DataFrame(rows).write_csv(client.csv.with_suffix(".recommended.csv"))


def _pi(value: object, federation: Federation) -> float:
    if not isinstance(value, int | float) or not 0 <= value <= 1:
        raise BadInput("pi", got=value, allowed="a number from 0 to 1", where="--node-config pi=0.5")
    check_pi(value, federation.protocol)
    return float(value)


def _careful(
    folder: Path, answer: Callable[[Path, Message, Context], RecordDict]
) -> Callable[[Message, Context], Message]:
    """An error's words may name what is in the csv, so they stay here."""

    def handle(message: Message, context: Context) -> Message:
        try:
            return Message(answer(folder, message, context), reply_to=message)
        except TacitError as problem:
            log(ERROR, "tacit: %s", problem)
        except Exception as problem:
            log(ERROR, "tacit: %s", type(problem).__name__, exc_info=problem)
        return Message(wire.content(failed=True, tacit=VERSION), reply_to=message)

    return handle
