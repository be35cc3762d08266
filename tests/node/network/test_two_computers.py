"""Two computers on one network without internet: the README's order of commands, and both found again after a move.

The computers are network namespaces joined by a bridge. That needs root and `ip` (Debian: apt-get install iproute2).
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("iroh", reason="iroh is not installed")
pytest.importorskip("zeroconf", reason="zeroconf is not installed")
pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="network namespaces are Linux's"),
    pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs root"),
    pytest.mark.skipif(shutil.which("ip") is None, reason="needs ip (Debian: apt-get install iproute2)"),
]
TACIT = [sys.executable, "-c", "import sys; from tacit.cli.main import call; sys.exit(call(sys.argv[1:]))"]
SECONDS = 30


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True, timeout=20)


class Computer:
    """A network namespace with a node's folder."""

    def __init__(self, space: str, home: Path) -> None:
        self.space, self.home = space, home
        self._node: subprocess.Popen[str] | None = None

    def _command(self, *words: str) -> list[str]:
        inside = ["ip", "netns", "exec", self.space, *TACIT]
        return [*inside, "node", *words, "--home", str(self.home), "--json"]

    def does(self, *words: str) -> Any:
        done = subprocess.run(self._command(*words), capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def start(self, *words: str) -> Any:
        self._node = subprocess.Popen(
            self._command("start", "--every", "1", *words), stdout=subprocess.PIPE, text=True
        )
        assert self._node.stdout is not None
        return json.loads(self._node.stdout.readline())

    def stop(self) -> None:
        if self._node is not None:
            self._node.send_signal(signal.SIGTERM)
            try:
                self._node.communicate(timeout=40)
            finally:
                self._node.kill()
            self._node = None

    def moves_to(self, address: str) -> None:
        ip("-n", self.space, "addr", "flush", "dev", "eth0", "scope", "global")
        ip("-n", self.space, "addr", "add", address, "brd", "+", "dev", "eth0")

    def heard(self) -> int:
        return int(self.does("status")["received"]["updates"])


@pytest.fixture
def computers(tmp_path: Path) -> Iterator[tuple[Computer, Computer]]:
    """Two computers and a switch between them; no way to anywhere else."""
    mark = f"tacit{os.getpid()}"
    switch, names = f"{mark}s", (f"{mark}a", f"{mark}b")
    try:
        for space in (switch, *names):
            ip("netns", "add", space)
            ip("-n", space, "link", "set", "lo", "up")
        ip("-n", switch, "link", "add", "br0", "type", "bridge")
        ip("-n", switch, "link", "set", "br0", "up")
        both = []
        for number, space in enumerate(names, 1):
            port = f"port{number}"
            ip("-n", switch, "link", "add", port, "type", "veth", "peer", "name", "eth0", "netns", space)
            ip("-n", switch, "link", "set", port, "master", "br0", "up")
            ip("-n", space, "link", "set", "eth0", "up")
            both.append(Computer(space, tmp_path / f"home{number}"))
            both[-1].moves_to(f"10.77.0.{number}/24")
    except subprocess.CalledProcessError as problem:
        _remove(switch, *names)
        pytest.skip(f"no network namespaces here: {problem.stderr.decode().strip()}")
    try:
        yield both[0], both[1]
    finally:
        for computer in both:
            computer.stop()
        _remove(switch, *names)


def _remove(*spaces: str) -> None:
    for space in spaces:
        subprocess.run(["ip", "netns", "del", space], capture_output=True, timeout=20)


Acquaint = Callable[[Computer, Computer], None]


def by_ticket(ana: Computer, bo: Computer) -> None:
    """Nodes that exchange a model: one invites, the other joins, before either has started."""
    for number, computer in enumerate((ana, bo)):
        computer.does("init", "--model", "bpr")
        file = computer.home.parent / f"{number}.csv"
        rows = "\n".join(f"{i},{1 + 4 * (i % 2)}" for i in range(8 * number, 8 * number + 16))
        file.write_text(f"item,rating\n{rows}\n")
        computer.does("import", "csv", str(file))
    bo.does("join", ana.does("invite")["ticket"])


def exchange(ana: Computer, bo: Computer, seconds: float = SECONDS) -> bool:
    """Whether both hear from the other within some time."""
    before = [computer.heard() for computer in (ana, bo)]
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        time.sleep(0.5)
        if all(one.heard() > was for one, was in zip((ana, bo), before, strict=True)):
            return True
    return False


@pytest.mark.parametrize("acquaint", [by_ticket])
@pytest.mark.parametrize("options", [(), ("--no-relay",), ("--no-relay", "--no-local")])
def test_an_invitation_made_before_the_start_is_valid(
    computers: tuple[Computer, Computer], acquaint: Acquaint, options: tuple[str, ...]
) -> None:
    ana, bo = computers
    acquaint(ana, bo)
    facts = ana.start(*options)
    assert any(address.startswith("10.77.0.1:") for address in facts["addresses"])
    bo.start(*options)
    assert exchange(ana, bo)


@pytest.mark.parametrize("acquaint", [by_ticket])
def test_after_both_moved_they_find_each_other_on_the_local_network(
    computers: tuple[Computer, Computer], acquaint: Acquaint
) -> None:
    ana, bo = computers
    acquaint(ana, bo)
    for computer in computers:
        computer.start("--no-relay")
    assert exchange(ana, bo)
    for number, computer in enumerate(computers, 1):
        computer.stop()
        computer.moves_to(f"10.99.5.{10 * number}/24")
    for computer in computers:
        computer.start("--no-relay", "--no-local")
    assert not exchange(ana, bo, 10)  # It is not by other means.
    for computer in computers:
        computer.stop()
    for computer in computers:
        computer.start("--no-relay")
    assert exchange(ana, bo)


@pytest.mark.parametrize("acquaint", [by_ticket])
def test_one_that_moves_while_both_run_is_found_again(
    computers: tuple[Computer, Computer], acquaint: Acquaint
) -> None:
    ana, bo = computers
    acquaint(ana, bo)
    for computer in computers:
        computer.start("--no-relay")
    assert exchange(ana, bo)
    for number, computer in enumerate(computers, 1):
        computer.moves_to(f"10.99.5.{10 * number}/24")
    assert exchange(ana, bo, 2 * SECONDS)
