"""Tiny invented data, and settings that make a run take milliseconds."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture
def tiny() -> dict[str, Any]:
    return {"data.users": 30, "data.items": 40, "data.interactions": 400, "rounds": 3, "split.n": 3}
