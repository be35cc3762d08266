"""Import of the iroh library, and a patch that makes its writes fast.

`load_iroh` imports iroh late and says in one line what to do where it is not installed.

iroh 1.2.0 copies bytes to its Rust side one by one in a Python loop: 190 ms per megabyte. `install_fast_write` copies
them in one call. It patches only the version it was written for, and only if a test on the spot passes.
"""

from __future__ import annotations

import ctypes
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from tacit.core.errors import BadInput
from tacit.node.network.invitations import INSTALL

_VERSION = "1.2.0"
_SAMPLE = bytes(range(256)) * 5


def install_fast_write(iroh: Any) -> bool:
    """Patch iroh; whether that was done."""
    try:
        if version("iroh") != _VERSION:
            return False
        builder = iroh.iroh_ffi._UniffiRustBufferBuilder
        stock = builder.write
    except (PackageNotFoundError, AttributeError):
        return False
    builder.write = _write
    try:
        works = _works(builder)
    except Exception:
        works = False
    if not works:
        builder.write = stock
    return works


def _write(self: Any, value: Any) -> None:
    """Copy all bytes at once to where the loop would have put them."""
    view = bytes(value)
    with self._reserve(len(view)):
        start = ctypes.addressof(self.rbuf.data.contents) + self.rbuf.len
        ctypes.memmove(start, view, len(view))


def _works(builder: Any) -> bool:
    """Whether what was written can be read again, after growing and at an offset."""
    buffer = builder()
    try:
        buffer.write(b"ab")
        buffer.write(b"")
        buffer.write(_SAMPLE)
        length = int(buffer.rbuf.len)
        return bool(buffer.rbuf.data[:length] == b"ab" + _SAMPLE)
    finally:
        buffer.discard()


@cache
def load_iroh() -> Any:
    """The iroh module."""
    try:
        import iroh
    except ImportError:
        raise BadInput(
            f"the network library iroh is not installed: {INSTALL}",
            where="Linux x86_64 and aarch64, macOS arm64, Windows amd64",
        ) from None
    return iroh
