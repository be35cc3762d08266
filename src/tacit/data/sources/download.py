"""Downloads over http that can be interrupted and resumed.

Bytes go to FILE.part. FILE appears only when all of them are there and the checksum, where one is known, is right.
"""

from __future__ import annotations

import http.client
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path

from tacit.core.errors import BadInput
from tacit.data.files import sha256_of

Progress = Callable[[int, int | None], None]
"""Called with the bytes done, and the bytes in all where the server says."""
TIMEOUT = 30.0
TRIES = 3
_CHUNK = 1 << 18


class NoDownload(BadInput):
    """A file that could not be downloaded; `reason` says why in a few words."""

    def __init__(self, reason: str, url: str) -> None:
        super().__init__("download", got=reason, where=url)
        self.reason = reason


def download(
    url: str,
    to: Path,
    *,
    sha256: str | None = None,
    progress: Progress | None = None,
    timeout: float = TIMEOUT,
) -> str:
    """Get `url` into the file `to`; returns its SHA-256.

    Raises NoDownload when the server cannot be reached or refuses; what has arrived is kept for the next try.
    """
    if not url.startswith(("https://", "http://")):
        raise BadInput("download", got=url, allowed="an http or https address")
    to.parent.mkdir(parents=True, exist_ok=True)
    part = to.with_name(to.name + ".part")
    for attempt in range(1, TRIES + 1):
        before = _size(part)
        try:
            _continue(url, part, progress, timeout)
            break
        except urllib.error.HTTPError as error:
            raise NoDownload(f"HTTP {error.code} {error.reason}", url) from error
        except (OSError, http.client.HTTPException) as error:
            # A connection that broke after some bytes is worth another try; one that never came about is not.
            if attempt == TRIES or _size(part) == before:
                raise NoDownload(_reason(error), url) from error
    found = sha256_of(part)
    if sha256 is not None and found != sha256:
        part.unlink()
        raise NoDownload(f"a file with SHA-256 {found}, not {sha256}", url)
    part.replace(to)
    return found


def _continue(url: str, part: Path, progress: Progress | None, timeout: float) -> None:
    """Ask for the bytes that are not here yet, and append them."""
    done = _size(part)
    request = urllib.request.Request(url, headers={"User-Agent": "tacit"})
    if done:
        request.add_header("Range", f"bytes={done}-")
    try:
        response = urllib.request.urlopen(request, timeout=timeout)
    except urllib.error.HTTPError as error:
        if error.code != 416 or not done:
            raise
        # Nothing after these bytes: all of them are here, or the file at the server is another one by now.
        if (error.headers.get("Content-Range") or "").rpartition("/")[2] == str(done):
            return
        part.unlink()
        raise ConnectionError("the file at the server has changed") from error
    with response:
        if response.status != 206:
            done = 0
        length = response.headers.get("Content-Length")
        total_bytes = done + int(length) if length and length.isdigit() else None
        with part.open("ab" if done else "wb") as file:
            while chunk := response.read(_CHUNK):
                file.write(chunk)
                done += len(chunk)
                if progress is not None:
                    progress(done, total_bytes)
    if total_bytes is not None and done < total_bytes:
        raise ConnectionError(f"the connection broke after {done:,} of {total_bytes:,} bytes")


def _size(part: Path) -> int:
    return part.stat().st_size if part.exists() else 0


def _reason(error: Exception) -> str:
    reason = getattr(error, "reason", None) or error
    return str(getattr(reason, "strerror", None) or reason) or type(error).__name__
