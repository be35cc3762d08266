"""Where iroh is imported: late, and with a clear line where there is none for a platform."""

from __future__ import annotations

from functools import cache
from typing import Any

from tacit.core.errors import BadInput


@cache
def load() -> Any:
    """The iroh module."""
    try:
        import iroh
    except ImportError:
        raise BadInput(
            "network library iroh",
            got="not installed",
            allowed="pip install iroh (Linux x86_64 and aarch64, macOS arm64, Windows amd64)",
        ) from None
    return iroh
