"""Two friends at two computers on one network without internet: they join by one link, see what each other likes, and
find each other again after both moved. The computers are network namespaces (`test_two_computers.py`).
"""

from __future__ import annotations

import time
from typing import Any

import pytest

pytest.importorskip("cryptography", reason="cryptography is not installed")

from tests.node.network import test_two_computers
from tests.node.network.test_two_computers import Computer, computers

pytestmark = test_two_computers.pytestmark
__all__ = ["computers"]


def seen(computer: Computer, seconds: float = 40) -> set[str]:
    """Titles that somebody else in the circle likes, as soon as there are any."""
    until = time.monotonic() + seconds
    found: list[Any] = []
    while not found and time.monotonic() < until:
        time.sleep(0.5)
        found = computer.does("recommend")["items"]
    return {item["title"] for item in found}


def test_two_friends_join_by_one_link_and_meet_again_after_they_moved(
    computers: tuple[Computer, Computer],
) -> None:
    ana, bo = computers
    for computer, name, like in ((ana, "Ana", "salt road:1998"), (bo, "Bo", "paper boats:1999")):
        computer.does("init", "--name", name)
        computer.does("rate", f"film:t:{like}", "5")
    ana.does("circle", "create", "Film club")
    bo.does("circle", "join", ana.does("circle", "link")["link"])
    for computer in computers:
        computer.does("circle", "share", "--all")
        computer.start("--no-relay")
    assert (seen(ana), seen(bo)) == ({"Paper Boats (1999)"}, {"Salt Road (1998)"})
    for number, computer in enumerate(computers, 1):
        computer.stop()
        computer.moves_to(f"10.99.5.{10 * number}/24")
    bo.does("seen", "film:t:salt road:1998")
    ana.does("rate", "film:t:grey hours:2001", "5")
    for computer in computers:
        computer.start("--no-relay")
    assert seen(bo) == {"Grey Hours (2001)"}
