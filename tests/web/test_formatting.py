from __future__ import annotations

import doctest
from dataclasses import replace

import pytest

from tacit.node.store.records import LedgerEntry, Peer, Sharing, Status, Traffic
from tacit.web import formatting, ledger_chart
from tacit.web.ledger_chart import HEIGHT, bars

STATUS = Status(
    "x", "", "bpr", False, True, 3, 9, [], Traffic(), Traffic(), Sharing(0.4, False, False), "circle", None
)


def test_examples_in_the_docs() -> None:
    for module in (formatting, ledger_chart):
        done = doctest.testmod(module)
        assert done.attempted > 0
        assert done.failed == 0


@pytest.mark.parametrize(
    ("status", "says"),
    [
        (replace(STATUS, sharing=Sharing(0.4, True, False)), "Paused"),
        (replace(STATUS, sharing=Sharing(0.4, False, False, "disk full")), "Sharing waits: disk full"),
        (replace(STATUS, mode="alone"), "Alone: nothing is sent."),
        (replace(STATUS, running=False), "Not running"),
        (STATUS, "nobody to share with"),
        (replace(STATUS, peers=[Peer("a", allowed=True)]), "Sharing with 1 person. About 4 in 10"),
    ],
)
def test_the_line_about_sharing_is_true(status: Status, says: str) -> None:
    assert says in formatting.state(status)


@pytest.mark.parametrize(
    ("disclosure", "says"), [(0.01, "Very few"), (0.1, "About 1 in 10"), (0.96, "About 10 in 10")]
)
def test_shares_in_words(disclosure: float, says: str) -> None:
    assert says in formatting.share(disclosure)


def test_bars_hold_every_row_and_the_highest_is_full() -> None:
    entries = [LedgerEntry(i, 1000.0 * i, "a", "update", i, i // 2, 10, 1.0) for i in range(1, 100)]
    drawn = bars(entries)
    assert sum(bar.rows for bar in drawn) == sum(e.rows for e in entries)
    assert sum(bar.rated for bar in drawn) == sum(e.rows_rated for e in entries)
    assert max(bar.tall for bar in drawn) == HEIGHT
    assert all(bar.dark <= bar.tall for bar in drawn)
    assert bars([]) == []
    assert sum(bar.rows for bar in bars(entries[:1])) == 1
