from __future__ import annotations

import asyncio
import socket
from pathlib import Path

import pytest

from tacit.core.errors import BadInput
from tacit.web.server import LOOPBACK, open_page
from tests.web.site import FixedService, browser


@pytest.fixture
def service(tmp_path: Path) -> FixedService:
    return browser(tmp_path).service


async def ask(port: int, request: str) -> str:
    reader, writer = await asyncio.open_connection(LOOPBACK, port)
    writer.write(request.encode())
    await writer.drain()
    answer = await asyncio.wait_for(reader.read(), 20)
    writer.close()
    return answer.decode()


def test_it_serves_until_stopped_beside_other_work(service: FixedService) -> None:
    async def main() -> tuple[str, str]:
        stop = asyncio.Event()
        page = open_page(service)
        port = int(page.address.split(":")[2].split("/")[0])
        running = asyncio.create_task(page.run(stop))
        token = page.address.split("token=")[1]
        head = f"Host: {page.address.split('/')[2]}\r\nConnection: close\r\n\r\n"
        inside = await ask(port, f"GET /?token={token} HTTP/1.1\r\n{head}")
        outside = await ask(port, f"GET / HTTP/1.1\r\n{head}")
        stop.set()
        await asyncio.wait_for(running, 20)
        with pytest.raises(ConnectionError):
            await asyncio.open_connection(LOOPBACK, port)
        return inside, outside

    inside, outside = asyncio.run(main())
    assert inside.startswith("HTTP/1.1 303")
    assert "tacit_" in inside
    assert outside.startswith("HTTP/1.1 403")
    assert "server:" not in outside.lower()


def test_forgetting_is_answered_although_it_stops(service: FixedService) -> None:
    async def main() -> str:
        stop, loop = asyncio.Event(), asyncio.get_running_loop()
        page = open_page(service, forget=lambda: loop.call_soon_threadsafe(stop.set))
        port = int(page.address.split(":")[2].split("/")[0])
        running = asyncio.create_task(page.run(stop))
        keys = page._server.config.app.keys  # type: ignore[union-attr]
        body = f"form_key={keys.form}&sure=yes"
        answer = await ask(
            port,
            f"POST /data/forget HTTP/1.1\r\nHost: {keys.host}\r\nOrigin: http://{keys.host}\r\n"
            f"Cookie: {keys.cookie}={keys.session}\r\nContent-Type: application/x-www-form-urlencoded\r\n"
            f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n{body}",
        )
        await asyncio.wait_for(running, 20)
        return answer

    answer = asyncio.run(main())
    assert answer.startswith("HTTP/1.1 200")
    assert "deletes everything here" in answer


def test_it_listens_on_this_computer_only(service: FixedService) -> None:
    page = open_page(service)
    assert page._socket.getsockname()[0] == "127.0.0.1"
    page._socket.close()


def test_a_port_that_is_taken(service: FixedService) -> None:
    with socket.create_server((LOOPBACK, 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(BadInput, match="one that is free"):
            open_page(service, port)
    one, two = open_page(service), open_page(service)
    assert one.address.split("/?")[0] != two.address.split("/?")[0]
    one._socket.close()
    two._socket.close()
