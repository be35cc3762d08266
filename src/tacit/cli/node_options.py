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
Count = Annotated[int, typer.Option("-n", min=1, help="how many")]
User = Annotated[str, typer.Option("--user", help="whose, in a cluster node")]
ALONE = "Alone: nothing is sent."
OFFER = "Suggestions from the first minute, learned here from public ratings: tacit node learn movielens-100k"
PAUSED = "Paused: nothing is sent, and nobody is heard. tacit node resume shares."


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
