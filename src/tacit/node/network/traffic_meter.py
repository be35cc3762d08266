"""Note in the ledger what the network library did since the last look."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict

from tacit.node.store.database import StoreFull
from tacit.node.store.ledger import Ledger
from tacit.node.store.records import NetworkTraffic


class TrafficMeter:
    """Follows the counters of one endpoint."""

    def __init__(self, ledger: Ledger, read: Callable[[], NetworkTraffic]) -> None:
        self._ledger, self._read = ledger, read
        self._noted = NetworkTraffic()

    def note(self) -> None:
        """Add what is new; on a full disk it is added later."""
        now, before = self._read(), asdict(self._noted)
        new = {name: value - before[name] for name, value in asdict(now).items()}
        if any(new.values()):
            with suppress(StoreFull):
                self._ledger.add_network(NetworkTraffic(**new))
                self._noted = now
