"""A federation in one process: Flower's apps and messages, without Flower's processes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("flwr", reason="the extra `flower` is not installed")

from flwr.app import Context, Message, RecordDict
from flwr.common.serde import recorddict_from_proto, recorddict_to_proto
from flwr.serverapp import Grid
from flwr.supercore.task_identity import TaskIdentity

from tacit.cli.main import call
from tacit.core.node_state import NodeState
from tacit.experiment.result import VERSION
from tacit.interop.flower import wire
from tacit.interop.flower.client import client_app
from tacit.interop.flower.federation import Federation
from tacit.interop.flower.project import PACKAGE
from tacit.interop.flower.server import Config, Server

RUN = 7


class LocalGrid(Grid):
    """Every message passes as the bytes that Flower would send."""

    def __init__(self, project: Path, nodes: dict[int, dict[str, Any]], run_config: dict[str, Any]) -> None:
        TaskIdentity.run_id, TaskIdentity.node_id, TaskIdentity.task_id = RUN, 1, 1
        self.app = client_app(project / PACKAGE)
        self.contexts = {
            node: Context(RUN, node, config, RecordDict(), run_config) for node, config in nodes.items()
        }
        self.sent: list[tuple[str, RecordDict, RecordDict]] = []
        """Kind, question, answer."""
        self.bytes: list[bytes] = []
        """Everything that clients sent, as it is on the wire."""
        self.away: Callable[[int, Message], bool] = lambda node, message: False
        """Whether a client does not answer."""

    def get_node_ids(self) -> Iterable[int]:
        return list(self.contexts)

    def send_and_receive(
        self, messages: Iterable[Message], *, timeout: float | None = None
    ) -> Iterable[Message]:
        replies = [
            self._one(message) for message in messages if not self.away(message.metadata.dst_node_id, message)
        ]
        return replies[::-1]  # whoever is last may be first

    def _one(self, message: Message) -> Message:
        asked = recorddict_from_proto(recorddict_to_proto(message.content))
        context = self.contexts[message.metadata.dst_node_id]
        reply = self.app(Message(asked, metadata=message.metadata), context)
        wire = recorddict_to_proto(reply.content).SerializeToString()
        self.bytes.append(wire)
        self.sent.append((message.metadata.message_type, asked, reply.content))
        return reply

    def set_run(self, run: object) -> None: ...
    def run(self) -> None: ...  # type: ignore[override]
    def create_message(self, *args: object, **words: object) -> Message:
        raise NotImplementedError

    def push_messages(self, messages: Iterable[Message]) -> Iterable[str]:
        raise NotImplementedError

    def pull_messages(self, message_ids: Iterable[str]) -> Iterable[Message]:
        raise NotImplementedError


def write(folder: Path, recipe: str, *words: str) -> Path:
    """The project that `tacit flower` writes."""
    out = folder / "project"
    assert call(["flower", recipe, "--out", str(out), *words]) == 0
    return out


def simulate(project: Path, clients: int, rounds: int, **more: Any) -> tuple[LocalGrid, NodeState, Path]:
    """The project's clients with their csv files, as `flwr run` simulates them."""
    config = {"partitions": str(project / "clients")}
    nodes = {100 + n: {"partition-id": n, "num-partitions": clients} for n in range(clients)}
    grid = LocalGrid(project, nodes, config)
    server = Server(Federation.read(project / PACKAGE), grid, Config(rounds, clients, 5.0, **more))
    out = project / "results" / str(RUN)
    return grid, server.run(out), out


def ask(grid: LocalGrid, kind: str, node: int) -> Message:
    """One question to one client."""
    message = Message(wire.content(tacit=VERSION), dst_node_id=node, message_type=kind)
    (reply,) = grid.send_and_receive([message])
    return reply
