"""A real Chromium for tests of pages: import `browser` into a test file and it is a fixture there."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import Any

import pytest

_QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium, driven by Playwright; the test is skipped where either is missing."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found is None:
        pytest.skip("no Chromium on this machine (Debian: apt-get install chromium)")
    with playwright.sync_playwright() as running:
        started = running.chromium.launch(executable_path=found, args=_QUIET)
        yield started
        started.close()
