"""No test depends on the clock: the first call of a compiled kernel may take seconds."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("no deadline", deadline=None)
settings.load_profile("no deadline")
