"""The ServerApp: waits for clients, lets them join, asks for rounds, measures, and writes what came of it."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from logging import ERROR, INFO, WARNING
from pathlib import Path
from typing import Any

from flwr.app import Context, Message, MessageType, RecordDict
from flwr.common.logger import log
from flwr.serverapp import Grid, ServerApp

from tacit.core.errors import BadInput, BadMessage, TacitError
from tacit.core.message import codec
from tacit.core.message.update import Update
from tacit.core.node_state import NodeState
from tacit.experiment.result import VERSION
from tacit.interop.flower import wire
from tacit.interop.flower.federation import Federation
from tacit.interop.flower.measure import mean_metrics
from tacit.interop.flower.outcome import Outcome, write_outcome
from tacit.interop.flower.rules.base import Member, Rule
from tacit.interop.flower.rules.choose import rule_of

_LOOK = 1.0
"""Seconds between two looks at who is there."""
_TRIES = 3
_AGAIN = 5.0
"""Seconds after which a client that was refused is asked again: somebody may have mended its csv."""
_MOST_PEOPLE = 10_000_000
"""Of one client: more is a mistake or a lie."""


@dataclass(frozen=True, slots=True)
class Config:
    """How a run goes: `[tool.flwr.app.config]` of the project, changed by --run-config."""

    rounds: int
    clients: int
    """How many clients to wait for before the first round."""
    wait_seconds: float = 300.0
    least_clients: int = 1
    """With fewer online, a round waits."""
    round_seconds: float = 120.0
    """How long a round waits for answers; it continues with those that came."""
    evaluate_every: int = 0
    """Rounds between two measurements; 0: only at the end."""
    out: str = "results"

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Config:
        """Checked values."""
        least = {
            "rounds": 1,
            "clients": 1,
            "wait-seconds": 0,
            "least-clients": 1,
            "round-seconds": 1,
            "evaluate-every": 0,
        }
        values: dict[str, Any] = {}
        for key, low in least.items():
            value = given.get(key)
            if isinstance(value, bool) or not isinstance(value, int | float) or value < low:
                raise BadInput(key, got=str(value), allowed=f"a number from {low}", where="--run-config")
            values[key.replace("-", "_")] = value
        return cls(**values, out=str(given.get("out", "results")))


def server_app(folder: Path) -> ServerApp:
    """The app of a project whose files are in a folder."""
    app = ServerApp()

    @app.main()  # type: ignore[untyped-decorator,unused-ignore]
    def main(grid: Grid, context: Context) -> None:
        try:
            config = Config.of(context.run_config)
            Server(Federation.read(folder), grid, config).run(
                Path(config.out).expanduser() / str(context.run_id)
            )
        except TacitError as problem:
            log(ERROR, "tacit: %s", problem)
            raise

    return app


@dataclass
class Server:
    """A federation under way."""

    federation: Federation
    grid: Grid
    config: Config
    members: dict[int, Member] = field(default_factory=dict)
    """By Flower's ids."""
    outcome: Outcome = field(default_factory=Outcome)

    def __post_init__(self) -> None:
        self.rule: Rule = rule_of(self.federation)
        self._refused: dict[int, float] = {}
        """When each was refused last."""

    def run(self, out: Path) -> NodeState:
        """From the first client to the folder of the result."""
        config, began = self.config, time.monotonic()
        self._wait(max(config.clients, config.least_clients))
        log(INFO, "tacit: %s with %d clients", self.federation.recipe, len(self.members))
        state = self.rule.start()
        for turn in range(config.rounds):
            asked = self.rule.asked(turn, self._wait(config.least_clients))
            answers = self._answers(turn, state, asked)
            self.rule.add(state, answers)
            self.outcome.rounds, self.outcome.answers = turn + 1, self.outcome.answers + len(answers)
            self.outcome.seconds = time.monotonic() - began
            log(
                INFO,
                "tacit: round %d of %d, %d of %d clients",
                turn + 1,
                config.rounds,
                len(answers),
                len(asked),
            )
            if config.evaluate_every and (turn + 1) % config.evaluate_every == 0 and turn + 1 < config.rounds:
                self._measure(state, last=False)
        # Whatever happens in the last measurement, what was learned is there.
        write_outcome(out, self.federation, self.outcome, state, list(self.members.values()))
        self._measure(state, last=True)
        write_outcome(out, self.federation, self.outcome, state, list(self.members.values()))
        log(
            INFO,
            "tacit: %s",
            "  ".join(f"{name} {v:.4f}" for name, v in self.outcome.metrics.items()) or "not measured",
        )
        log(INFO, "tacit: written to %s", out)
        return state

    def _wait(self, count: int) -> Sequence[Member]:
        """The clients that are online, once there are enough. Flower itself would start with fewer."""
        seconds = self.config.wait_seconds
        until = time.monotonic() + seconds
        while len(here := self._here(until - time.monotonic())) < count:
            if time.monotonic() >= until:
                refused = f", {len(self._refused)} were refused" if self._refused else ""
                allowed = f"{count}; or fewer: --run-config clients=N, least-clients=N"
                raise BadInput(
                    "clients", got=f"{len(here)} after {seconds:g} seconds{refused}", allowed=allowed
                )
            time.sleep(_LOOK)
        return here

    def _here(self, seconds: float | None = None) -> Sequence[Member]:
        """The members that are online, by their numbers. A client that comes later joins when it comes."""
        online, now = set(self.grid.get_node_ids()), time.monotonic()
        waiting = {node for node, last in self._refused.items() if now < last + _AGAIN}
        new = sorted(online - self.members.keys() - waiting)
        for reply in self._ask(MessageType.QUERY, new, wire.content(tacit=VERSION), seconds):
            self._join(reply, online)
        return sorted(member for node, member in self.members.items() if node in online)

    def _join(self, reply: Message, online: Set[int]) -> None:
        node, told = reply.metadata.src_node_id, wire.about(reply)
        try:
            member = self._checked(node, told)
            before = [old for old, one in self.members.items() if one.token == member.token]
            if online & set(before):
                raise BadMessage(f"has the csv or the partition of client {before[0]}, which is there")
        except BadMessage as why:
            if node not in self._refused:
                log(WARNING, "tacit: client %d %s", node, why)
            self._refused[node] = time.monotonic()
            return
        for old in before:  # the same one, started again
            member = member._replace(number=self.members.pop(old).number)
        taken = {one.number for one in self.members.values()}
        if member.number < 0 or member.number in taken:
            member = member._replace(number=max(taken, default=-1) + 1)
        self.members[node] = member
        self._refused.pop(node, None)

    def _checked(self, node: int, told: Mapping[str, Any]) -> Member:
        """The client that joins, by what it says. Nothing of that is trusted."""
        if (theirs := told.get("tacit")) != VERSION:
            raise BadMessage(f"has tacit {str(theirs)[:40]}; allowed: {VERSION}, as here")
        if told.get("failed") or told.get("fingerprint") != self.federation.fingerprint:
            raise BadMessage("cannot take part; its own log says why")
        number, token = wire.whole(told, "number", -1, _MOST_PEOPLE), told.get("token")
        if not isinstance(token, str) or not 0 < len(token) <= 64:
            raise BadMessage(f"token: got {str(token)[:40]}; allowed: 1 to 64 letters")
        people = wire.whole(told, "people", 1, _MOST_PEOPLE)
        asks, items = self.rule.asks_ratings, len(self.federation.items)
        ratings = wire.whole(told, "ratings", people, people * items) if asks else -1
        return Member(number, node, people, ratings, token)

    def _answers(self, turn: int, state: NodeState, asked: Sequence[Member]) -> list[tuple[Member, Update]]:
        """A round that nobody answers is tried again."""
        got = f"no answer of {len(asked)} clients in {self.config.round_seconds:g} seconds"
        for _ in range(_TRIES):
            if answers := self._round(turn, state, asked):
                return answers
            log(WARNING, "tacit: round %d: %s", turn + 1, got)
        allowed = "at least one; or more time: --run-config round-seconds=N"
        raise BadInput(f"round {turn + 1}", got=f"{got}, {_TRIES} times", allowed=allowed)

    def _round(self, turn: int, state: NodeState, asked: Sequence[Member]) -> list[tuple[Member, Update]]:
        """What came back in time, clients ascending."""
        message = wire.content(
            self.rule.download(state), facts=self.rule.facts(list(self.members.values())), turn=turn
        )
        self.outcome.bytes += len(asked) * message.config_records[wire.UPDATE].count_bytes()
        answers = []
        for reply in self._ask(MessageType.TRAIN, [member.node for member in asked], message):
            member = self.members[reply.metadata.src_node_id]
            if wire.about(reply).get("failed"):
                log(WARNING, "tacit: client %d failed; its own log says why", member.number)
                continue
            try:
                data = wire.data(reply)
                update = codec.decode(data)
                self.rule.check(update, member)
            except BadMessage as problem:
                log(WARNING, "tacit: client %d: %s", member.number, problem)
                continue
            self.outcome.bytes += len(data)
            answers.append((member, update))
        return sorted(answers, key=lambda answer: answer[0].number)

    def _measure(self, state: NodeState, *, last: bool) -> None:
        members = self._here()
        facts = self.rule.facts(list(self.members.values()))
        message = wire.content(self.rule.download(state), facts=facts, last=last)
        told: dict[int, dict[str, float]] = {}
        for reply in self._ask(MessageType.EVALUATE, [member.node for member in members], message):
            number = self.members[reply.metadata.src_node_id].number
            try:
                if wire.about(reply).get("failed"):
                    raise BadMessage("its own log says why")
                told[number] = wire.metrics(reply)
            except BadMessage as why:
                log(WARNING, "tacit: client %d was not measured; %s", number, why)
        found = mean_metrics([told[number] for number in sorted(told)])
        self.outcome.measured(found)
        shown = next(((name, value) for name, value in found.items()), ("nothing to measure", 0.0))
        log(
            INFO, "tacit: after round %d: %s %.4f, told by %d clients", self.outcome.rounds, *shown, len(told)
        )

    def _ask(
        self, kind: str, nodes: Sequence[int], content: RecordDict, seconds: float | None = None
    ) -> list[Message]:
        """Replies that have content; a client that is gone has none."""
        if not nodes:
            return []
        seconds = max(1.0, self.config.round_seconds if seconds is None else seconds)
        group = str(self.outcome.rounds)
        messages = [
            Message(content, dst_node_id=node, message_type=kind, group_id=group, ttl=seconds)
            for node in nodes
        ]
        replies = self.grid.send_and_receive(messages, timeout=seconds)
        return [reply for reply in replies if reply.has_content()]
