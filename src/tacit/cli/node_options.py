"""What the commands of `tacit node` share: the node's folder, and how it is opened."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from tacit.node.service import Service

Home = Annotated[
    Path | None, typer.Option("--home", metavar="DIR", help="the node's folder (default: your data folder)")
]
Count = Annotated[int, typer.Option("-n", min=1, help="number of entries to show")]
User = Annotated[str, typer.Option("--user", help="which person, on a node for many people")]
ALONE = "Alone: nothing is sent."
BELOW_A_CROWD = "with ials, add data even among fewer than 100 people; they can work out each other's lists"
OFFER = "Suggestions from the first minute, learned here from public ratings: tacit node learn movielens-100k"
SHOWS_MODEL = (
    "For research: one message shows a friend what you liked. "
    "For friends: a node without --model, and tacit node circle."
)
SHOWS_SUMS = (
    "For research: members of a small group can work out each other's lists. Your data is added from 100 people on, "
    "unless forced (tacit node sharing --force)."
)
SWITCH = (
    "This node exchanges a model, for research. Friends share openly in a circle, which is better for small groups: "
    "tacit node mode alone, then tacit node circle create NAME"
)
PAUSED = "Paused: nothing is sent, and nothing is received. tacit node resume shares."


def exchanges(model: str) -> str:
    """What a node with a model does, in words."""
    return f"exchanges {'sums' if model == 'ials' else 'models'} ({model})"


def home_of(home: Path | None) -> Path:
    """The folder that was given, or the usual one."""
    if home is not None:
        return home
    from platformdirs import user_data_path

    return user_data_path("tacit") / "node"


@contextmanager
def opened(home: Path | None) -> Iterator[Service]:
    """The node in a folder."""
    from tacit.node.service import Service

    service = Service(home_of(home))
    try:
        yield service
    finally:
        service.close()


def time_of_day(seconds: float) -> str:
    """A time for people to read."""
    return datetime.fromtimestamp(seconds).strftime("%Y-%m-%d %H:%M:%S")
