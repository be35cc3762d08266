"""Downloads from a server on this machine that breaks connections, refuses, and lies."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tacit.core.errors import BadInput
from tacit.data.sources.download import NoDownload, download

CONTENT = bytes(range(256)) * 4000
SHA256 = hashlib.sha256(CONTENT).hexdigest()


class Server(ThreadingHTTPServer):
    """Serves CONTENT; what it does wrong is set by the test."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.breaks_after: list[int] = []
        self.ranges: list[str | None] = []
        self.knows_ranges = True

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/file.zip"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        asked = self.headers.get("Range")
        self.server.ranges.append(asked)
        if not self.path.endswith("/file.zip"):
            self.send_error(404)
            return
        first = int(asked.removeprefix("bytes=").rstrip("-")) if asked and self.server.knows_ranges else 0
        if first >= len(CONTENT):
            self.send_response(416)
            self.send_header("Content-Range", f"bytes */{len(CONTENT)}")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        self.send_response(206 if first else 200)
        self.send_header("Content-Length", str(len(CONTENT) - first))
        self.end_headers()
        upto = self.server.breaks_after.pop(0) if self.server.breaks_after else len(CONTENT)
        self.wfile.write(CONTENT[first:upto])

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server()
    thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield made
    made.shutdown()
    thread.join()
    made.server_close()


def test_a_file_arrives_whole_and_progress_is_told(server: Server, tmp_path: Path) -> None:
    told: list[tuple[int, int | None]] = []
    to = tmp_path / "folder" / "file.zip"
    assert (
        download(server.url, to, sha256=SHA256, progress=lambda done, total: told.append((done, total)))
        == SHA256
    )
    assert to.read_bytes() == CONTENT
    assert told[-1] == (len(CONTENT), len(CONTENT))
    assert [path.name for path in to.parent.iterdir()] == ["file.zip"]


def test_a_broken_connection_goes_on_where_it_stopped(server: Server, tmp_path: Path) -> None:
    server.breaks_after = [300_000, 700_000]
    download(server.url, tmp_path / "file.zip", sha256=SHA256)
    assert server.ranges == [None, "bytes=300000-", "bytes=700000-"]


def test_an_interrupted_download_goes_on_the_next_time(server: Server, tmp_path: Path) -> None:
    def interrupt(done: int, _: int | None) -> None:
        if done > 500_000:
            raise KeyboardInterrupt

    to = tmp_path / "file.zip"
    with pytest.raises(KeyboardInterrupt):
        download(server.url, to, progress=interrupt)
    assert not to.exists()
    kept = (tmp_path / "file.zip.part").stat().st_size
    assert 0 < kept < len(CONTENT)
    download(server.url, to, sha256=SHA256)
    assert server.ranges == [None, f"bytes={kept}-"]
    assert to.read_bytes() == CONTENT


def test_a_server_without_ranges_starts_again(server: Server, tmp_path: Path) -> None:
    server.knows_ranges = False
    (tmp_path / "file.zip.part").write_bytes(b"old")
    download(server.url, tmp_path / "file.zip", sha256=SHA256)


def test_all_bytes_are_here_already(server: Server, tmp_path: Path) -> None:
    (tmp_path / "file.zip.part").write_bytes(CONTENT)
    assert download(server.url, tmp_path / "file.zip") == SHA256


def test_more_bytes_than_the_server_has_are_thrown_away(server: Server, tmp_path: Path) -> None:
    (tmp_path / "file.zip.part").write_bytes(CONTENT + b"more")
    assert download(server.url, tmp_path / "file.zip") == SHA256


def test_a_wrong_checksum_leaves_nothing(server: Server, tmp_path: Path) -> None:
    with pytest.raises(NoDownload, match=f"SHA-256 {SHA256}, not 00"):
        download(server.url, tmp_path / "file.zip", sha256="00")
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_not_there(server: Server, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="download: got HTTP 404 Not Found"):
        download(server.url + "x", tmp_path / "file.zip")


def test_no_server_at_all(tmp_path: Path) -> None:
    made = Server()
    url = made.url
    made.server_close()
    with pytest.raises(NoDownload, match="Connection refused"):
        download(url, tmp_path / "file.zip")
    with pytest.raises(BadInput, match="an http or https address"):
        download("file:///etc/hostname", tmp_path / "file.zip")
