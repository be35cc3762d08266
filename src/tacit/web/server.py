"""The HTTP server of the page, in the event loop of the node.

page = open_page(service)          binds 127.0.0.1, the next free port if 8477 is taken
print(page.address)
await page.run(stop)               until the event is set
"""

from __future__ import annotations

import asyncio
import errno
import os
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import uvicorn

from tacit.core.errors import BadInput
from tacit.node.service import Service
from tacit.web.app import create_app
from tacit.web.gate import Keys

LOOPBACK = "127.0.0.1"
PORT = 8477
TRIED = 50


class _Server(uvicorn.Server):
    """Leaves signals to the node."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Capture none."""
        yield


@dataclass(slots=True)
class Page:
    """A page that listens; nobody is served before it runs."""

    address: str
    """What to open, with its token."""
    _socket: socket.socket
    _server: _Server

    async def run(self, stop: asyncio.Event) -> None:
        """Serve until `stop` is set."""
        serving = asyncio.create_task(self._server.serve(sockets=[self._socket]))
        stopping = asyncio.create_task(stop.wait())
        try:
            await asyncio.wait({serving, stopping}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._server.should_exit = True
            stopping.cancel()
            await serving
            self._socket.close()


def open_page(
    service: Service,
    port: int | None = None,
    forget: Callable[[], None] | None = None,
    *,
    plain: bool = False,
) -> Page:
    """Bind the page's port on this computer only. BadInput if the port asked for is taken.

    `plain`: at 127.0.0.1, for a browser that does not know what NAME.localhost is.
    """
    listening = _bind(port)
    number = listening.getsockname()[1]
    keys = Keys(port=number, name="") if plain else Keys(port=number)
    config = uvicorn.Config(
        create_app(service, keys, forget),
        http="h11",
        ws="none",
        lifespan="off",
        log_level="error",
        access_log=False,  # Addresses hold what was searched for.
        server_header=False,
        date_header=False,
        proxy_headers=False,
        limit_concurrency=64,
        timeout_graceful_shutdown=2,
    )
    return Page(keys.address, listening, _Server(config))


def _bind(port: int | None) -> socket.socket:
    for number in [port] if port is not None else [*range(PORT, PORT + TRIED), 0]:
        listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        if os.name == "posix":  # A page that was just closed does not block its port; one that listens does.
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((LOOPBACK, number))
            listening.listen()
        except OSError as error:
            listening.close()
            if error.errno not in (errno.EADDRINUSE, errno.EACCES):
                raise
        else:
            return listening
    raise BadInput("port of the page", got=port, allowed="one that is free")
