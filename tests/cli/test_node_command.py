"""`tacit node`, as a person uses it; two real processes over the loopback interface at the end."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tacit.cli.main import call

pytest.importorskip("iroh")


class Person:
    """Somebody at a terminal."""

    def __init__(self, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.home, self._capsys = home, capsys

    def does(self, *words: str) -> Any:
        """The JSON object that a command prints: one, and nothing else."""
        assert self.tries(*words, "--json") == 0, self.told
        assert self.printed.count("\n") == 1
        return json.loads(self.printed)

    def tries(self, *words: str) -> int:
        """A command's exit code; what it printed stays."""
        self._capsys.readouterr()
        code = call(["node", words[0], "--home", str(self.home), *words[1:]])
        self.printed, self.told = self._capsys.readouterr()
        return code

    def says(self, *words: str) -> str:
        """What a person reads."""
        assert self.tries(*words) == 0, self.told
        return str(self.printed + self.told)


@pytest.fixture
def ana(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Person:
    person = Person(tmp_path / "ana", capsys)
    person.does("init", "--model", "mf", "--name", "Ana")
    return person


@pytest.fixture
def bo(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Person:
    person = Person(tmp_path / "bo", capsys)
    person.does("init", "--model", "mf")
    return person


def write_csv(path: Path, items: range) -> Path:
    lines = [f"{i},Film {i},{1990 + i},{5 if i % 2 == 0 else 2},{10**9 + i}" for i in items]
    path.write_text("item,title,year,rating,timestamp\n" + "\n".join(lines) + "\n")
    return path


def test_init_tells_id_and_home_and_works_once(ana: Person) -> None:
    assert ana.tries("init") == 2
    assert "holds one already" in ana.told
    status = ana.does("status")
    assert len(status["id"]) == 64
    assert status == {
        "id": status["id"], "ratings": 0, "rows_known": 0, "peers": [],
        "sent": {"updates": 0, "rows": 0, "bytes": 0},
        "received": {"updates": 0, "rows": 0, "bytes": 0, "refused": 0},
        "mode": "circle", "start": None,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("init", "--model", "magic"), "model: got magic; known:"),
        (("join", "rubbish"), "invitation: got no invitation of tacit"),
        (("rate", "Unheard Of", "3"), "a key or a title that is known"),
        (("rate", "csv:1", "9"), "rating: got 9.0; allowed: a number from 1 to 5"),
        (("sharing", "--disclosure", "2"), "disclosure: got 2.0; allowed: a number from 0 to 1"),
        (("sharing", "--pause", "--resume"), "one of them"),
        (("forget",), "--yes"),
        (("recommend", "--user", "x"), "--user: got x"),
        (("import", "nosuch", "x.csv"), "format: got nosuch; known: csv"),
        (("import", "csv", "no-such-file.csv"), "no-such-file.csv"),
    ],
)
def test_a_mistake_is_one_clear_line_and_exit_code_2(ana: Person, words: tuple[str, ...], told: str) -> None:
    if words[0] == "init":
        ana.home = ana.home / "other"
    assert ana.tries(*words) == 2
    assert told in ana.told
    assert ana.told.count("\n") == 1


def test_without_a_node_every_command_says_what_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    nobody = Person(tmp_path / "empty", capsys)
    for words in (["status"], ["invite"], ["recommend"], ["ledger"], ["start"], ["rate", "csv:1", "3"]):
        assert nobody.tries(*words) == 2
        assert "tacit node init" in nobody.told


def test_import_rate_export_and_import_again(ana: Person, bo: Person, tmp_path: Path) -> None:
    found = ana.does("import", "csv", str(write_csv(tmp_path / "a.csv", range(9))))
    assert found == {"imported": 9, "skipped": 0, "reasons": {}}
    assert ana.does("status")["ratings"] == 9
    ana.does("rate", "3", "4.5")
    ana.does("rate", "film 4", "1")
    ana.does("rate", "film:t:night ferry:2010", "5")
    assert ana.does("export", str(tmp_path / "out.csv"))["exported"] == 10
    assert (tmp_path / "out.csv").stat().st_mode & 0o077 == 0
    assert bo.does("import", "csv", str(tmp_path / "out.csv"))["imported"] == 10
    bo.does("export", str(tmp_path / "again.csv"))
    assert (tmp_path / "again.csv").read_text() == (tmp_path / "out.csv").read_text()
    assert "csv:3,Film 3 (1993),4.5," in (tmp_path / "out.csv").read_text()


def test_sharing_is_shown_and_changed_with_the_next_message(ana: Person, tmp_path: Path) -> None:
    ana.does("import", "csv", str(write_csv(tmp_path / "a.csv", range(40))))
    whole = ana.does("sharing")
    assert (whole["disclosure"], whole["paused"], whole["open"]) == (1.0, False, False)
    assert (whole["next"]["rows"], whole["next"]["rows_rated"]) == (40, 40)
    less = ana.does("sharing", "--disclosure", "0.25", "--pause", "--open")
    assert (less["disclosure"], less["paused"], less["open"]) == (0.25, True, True)
    assert 2 <= less["next"]["rows"] <= 20
    assert ana.does("resume")["paused"] is False
    assert ana.does("pause")["paused"] is True
    assert "paused: nothing is sent" in ana.says("sharing").lower()
    assert ana.does("sharing", "--disclosure", "0")["next"]["rows"] == 0


def test_forgetting_leaves_nothing(ana: Person) -> None:
    assert ana.does("forget", "--yes") == {"forgotten": True}
    assert list(ana.home.iterdir()) == []
    assert ana.tries("status") == 2


class Started:
    """`tacit node start` in a process of its own."""

    def __init__(self, person: Person, *words: str, wait: bool = True) -> None:
        code = "import sys; from tacit.cli.main import call; sys.exit(call(sys.argv[1:]))"
        command = [
            "node",
            "start",
            "--home",
            str(person.home),
            "--no-relay",
            "--no-local",
            "--every",
            "1",
            "--json",
            *words,
        ]
        self.process = subprocess.Popen(
            [sys.executable, "-c", code, *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.facts: dict[str, Any] = {}
        if wait:
            self.ready()

    def ready(self) -> None:
        """Read its first line."""
        assert self.process.stdout is not None
        self.facts = json.loads(self.process.stdout.readline())

    def stop(self, number: int) -> tuple[int, str, str]:
        """The exit code after a signal, and what else was printed."""
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=30)
        return self.process.returncode, out, err


@pytest.fixture
def started(ana: Person, bo: Person, tmp_path: Path) -> Iterator[tuple[Started, Started]]:
    ana.does("import", "csv", str(write_csv(tmp_path / "a.csv", range(30))))
    bo.does("import", "csv", str(write_csv(tmp_path / "b.csv", range(20, 50))))
    ticket = ana.does("invite")["ticket"]
    assert bo.does("join", ticket)["peer"] == ana.does("status")["id"]
    nodes = (Started(ana), Started(bo))
    try:
        yield nodes
    finally:
        for node in nodes:
            node.process.kill()
            node.process.communicate()


def sockets(pid: int) -> set[tuple[str, int]]:
    """(protocol, local port) of every internet socket a process holds, and of any other kind its own name."""
    held = set()
    for entry in Path(f"/proc/{pid}/fd").iterdir():
        target = str(entry.readlink())
        if target.startswith("socket:["):
            held.add(target[8:-1])
    found = set()
    for protocol in ("tcp", "tcp6", "udp", "udp6", "raw", "raw6"):
        table = Path(f"/proc/{pid}/net/{protocol}")
        for line in table.read_text().splitlines()[1:] if table.exists() else []:
            parts = line.split()
            if parts[9] in held:
                found.add((protocol, int(parts[1].rpartition(":")[2], 16)))
    return found


def wait_for(what: Any, minutes: int = 1) -> None:
    """Until something is so, for a minute at most."""
    for _ in range(240 * minutes):
        if what():
            return
        time.sleep(0.25)
    raise AssertionError(f"it did not happen within {minutes} min")


def test_two_nodes_meet_by_invitation_and_learn_from_each_other(
    ana: Person, bo: Person, started: tuple[Started, Started]
) -> None:
    assert [node.facts["id"] for node in started] == [p.does("status")["id"] for p in (ana, bo)]
    assert all(set(node.facts) == {"id", "page", "addresses"} for node in started)
    wait_for(lambda: all(p.does("status")["received"]["updates"] >= 3 for p in (ana, bo)))
    wait_for(lambda: all(len(p.does("recommend", "-n", "5")["items"]) == 5 for p in (ana, bo)))

    shown = ana.does("recommend", "-n", "5")["items"]
    assert {item["key"] for item in shown} <= {f"csv:{i}" for i in range(30, 50)}
    assert set(shown[0]) == {"key", "title", "score", "because"}
    assert bo.does("recommend")["items"][0]["key"] in {f"csv:{i}" for i in range(20)}

    entries = ana.does("ledger", "-n", "1000")["entries"]
    assert set(entries[0]) == {"time", "peer", "rows", "rows_rated", "bytes", "disclosure"}
    assert {entry["peer"] for entry in entries} == {bo.does("status")["id"]}
    assert max(entry["rows_rated"] for entry in entries) == 30
    status = ana.does("status")
    assert status["rows_known"] == 50
    assert set(status["peers"][0]) == {"id", "last_seen", "score"}

    # Commands while it runs: one node a folder, pausing, a rating, a ticket that works.
    assert ana.tries("start") == 2
    assert "running already" in ana.told
    assert ana.tries("forget", "--yes") == 2
    bo.does("rate", "csv:1", "5")
    assert bo.does("status")["ratings"] == 31
    if sys.platform == "linux":
        for node in started:
            ports = {int(address.rpartition(":")[2]) for address in node.facts["addresses"]}
            page = int(node.facts["page"].split(":")[2].split("/")[0])
            expected = {("udp", port) for port in ports} | {("udp6", port) for port in ports}
            assert sockets(node.process.pid) == expected | {("tcp", page)}
    ana.does("sharing", "--pause")
    time.sleep(1.5)
    before = len(ana.does("ledger", "-n", "1000")["entries"])
    time.sleep(2.5)
    assert len(ana.does("ledger", "-n", "1000")["entries"]) == before

    for node, number in zip(started, (signal.SIGINT, signal.SIGTERM), strict=True):
        assert node.stop(number) == (0, "", "")
    assert len(bo.does("recommend", "-n", "5")["items"]) == 5


def test_four_nodes_add_up_and_recommend_from_the_sums(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`ials`, forced: fewer than four people exchange nothing; four do, and each is shown what others have."""
    people = [Person(tmp_path / name, capsys) for name in ("ana", "bo", "cem", "dina")]
    for number, person in enumerate(people):
        person.does("init", "--model", "ials")
        assert "at least 99 others" in person.says("sharing")
        person.does("sharing", "--force")
        person.does(
            "import", "csv", str(write_csv(tmp_path / f"{number}.csv", range(4 * number, 4 * number + 16)))
        )
        person.does("sharing", "--open")
    assert "at least 3 others" in people[0].says("sharing")
    assert "at least 3 others" in people[0].says("recommend")
    for person in people[1:]:
        person.does("join", people[0].does("invite")["ticket"])
    nodes = [Started(person, "--every", "0.25", wait=False) for person in people]
    try:
        for node in nodes:
            node.ready()
        for person in people:
            wait_for(lambda person=person: person.does("recommend", "-n", "3")["items"], minutes=3)
        status = people[1].does("status")
        assert status["received"]["updates"] > 10
        assert status["rows_known"] > 4
        assert "exchanges sums (ials)" in people[1].says("status")
        entries = people[1].does("ledger", "-n", "1000")["entries"]
        assert max(entry["rows_rated"] for entry in entries) > 0
        wait_for(lambda: people[1].does("sharing")["next"]["rows"] > 4)
        assert "at least 3 others" not in people[1].says("sharing")
        shown = people[0].does("recommend", "-n", "3")["items"]
        assert {item["key"] for item in shown}.isdisjoint({f"csv:{i}" for i in range(0, 16, 2)})
        for node in nodes:
            assert node.stop(signal.SIGTERM) == (0, "", "")
    finally:
        for node in nodes:
            node.process.kill()
            node.process.communicate()


def test_a_ticket_of_a_running_node_lets_somebody_join_while_both_run(
    ana: Person, bo: Person, tmp_path: Path
) -> None:
    ana.does("import", "csv", str(write_csv(tmp_path / "a.csv", range(8))))
    bo.does("import", "csv", str(write_csv(tmp_path / "b.csv", range(4, 12))))
    nodes = [Started(ana), Started(bo)]
    try:
        bo.does("join", ana.does("invite")["ticket"])
        wait_for(lambda: all(p.does("status")["received"]["updates"] >= 1 for p in (ana, bo)))
        os.kill(nodes[0].process.pid, signal.SIGKILL)
        nodes[0].process.communicate()
        ratings = ana.does("status")["ratings"]
        nodes[0] = Started(ana)
        assert ratings == 8
        before = bo.does("status")["received"]["updates"]
        wait_for(lambda: bo.does("status")["received"]["updates"] > before)
    finally:
        for node in nodes:
            node.process.kill()
            node.process.communicate()
