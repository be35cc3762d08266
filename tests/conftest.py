"""Property tests run the same examples every time, however slow the machine."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("tacit", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("tacit")
