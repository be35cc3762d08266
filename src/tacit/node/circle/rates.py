"""How often something may happen: so many at once, then one after the other. The caller says what time it is."""

from __future__ import annotations

_SECOND = 1_000_000


class Rate:
    """A store of permits for each name; it fills up again with time (microseconds of a clock that never jumps)."""

    def __init__(self, burst: float, every: float) -> None:
        self._burst, self._every = float(burst), every * _SECOND
        """Permits at most, and microseconds until there is one more."""
        self._left: dict[str, tuple[float, int]] = {}

    def left(self, name: str, now: int) -> float:
        """Permits that are left now."""
        permits, last = self._left.get(name, (self._burst, now))
        return min(self._burst, permits + (now - last) / self._every)

    def take(self, name: str, now: int) -> bool:
        """Whether it may happen now; that takes a permit."""
        if self.left(name, now) < 1:
            return False
        self.spend(name, now)
        return True

    def spend(self, name: str, now: int, amount: float = 1) -> None:
        """It happened: fewer permits are left, perhaps less than none."""
        self._left[name] = self.left(name, now) - amount, now

    def wait(self, name: str, now: int) -> int:
        """Microseconds until there is a permit."""
        return max(0, int((1 - self.left(name, now)) * self._every) + 1)
