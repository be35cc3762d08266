from __future__ import annotations

from pathlib import Path

from tacit.node.network.traffic_meter import TrafficMeter
from tacit.node.store.ledger import Ledger
from tacit.node.store.records import NetworkTraffic
from tests.node.live_network import make_store


def test_what_is_new_is_added_once_and_runs_add_up(tmp_path: Path) -> None:
    ledger = Ledger(make_store(tmp_path / "n"))
    assert ledger.network() == NetworkTraffic()
    for _ in range(2):  # two runs, whose counters begin at zero
        readings = iter(
            [
                NetworkTraffic(100, 50, 70, 20),
                NetworkTraffic(100, 50, 70, 20),
                NetworkTraffic(150, 60, 80, 20, 1, 2, 3),
            ]
        )
        meter = TrafficMeter(ledger, lambda readings=readings: next(readings))  # type: ignore[misc]
        for _ in range(3):
            meter.note()
    assert ledger.network() == NetworkTraffic(300, 120, 160, 40, 2, 4, 6)
    assert ledger.network().own == 140
    assert str(ledger.network()).startswith(
        "140 bytes sent besides messages, 2 lookups, 4 connections to relays"
    )
