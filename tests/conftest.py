"""Property tests run the same examples every time, however slow the machine."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import settings

settings.register_profile("tacit", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("tacit")


@pytest.fixture
def tiny() -> dict[str, Any]:
    """Tiny invented data, and settings that make a run take milliseconds."""
    return {"data.users": 30, "data.items": 40, "data.interactions": 400, "rounds": 3, "split.n": 3}
