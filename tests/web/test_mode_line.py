from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tacit.node.store.records import Peer, Sharing, Status, Traffic
from tacit.web.mode_line import mode_line
from tests.web.site import browser

STATUS = Status(
    "x", "", "bpr", False, True, 3, 9, [], Traffic(), Traffic(), Sharing(0.4, False, False), "circle", None
)


@pytest.mark.parametrize(
    ("status", "says"),
    [
        (replace(STATUS, sharing=Sharing(0.4, True, False)), "Paused. Nothing about your ratings is sent."),
        (replace(STATUS, sharing=Sharing(0.4, False, False, "disk full")), "Nothing is sent: disk full."),
        (replace(STATUS, mode="alone", model=""), "Alone. Nothing leaves this computer."),
        (replace(STATUS, running=False), "Not running."),
        (STATUS, "Research (bpr). There is nobody to share with yet."),
        (
            replace(STATUS, peers=[Peer("a", allowed=True)]),
            "Sharing with 1 person. The shared model learns from about 4 in 10 of your ratings from now on.",
        ),
    ],
)
def test_the_line_is_true(tmp_path: Path, status: Status, says: str) -> None:
    line = mode_line(browser(tmp_path, alone=True).service, status)
    assert says in f"{line.word} {line.text}"
