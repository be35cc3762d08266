from __future__ import annotations

import socket
from pathlib import Path

import pytest

from tacit.node.doctor import reach
from tacit.node.doctor.check import Check
from tacit.node.doctor.examine import examine
from tacit.node.service import Service
from tacit.node.store.records import Peer, Rating
from tests.node.live_network import make_store, name_of

NAMES = [
    "store", "ratings", "start", "backup", "clock", "disk", "page", "library", "port", "addresses", "local network",
    "relay", "people", "circle",
]  # fmt: skip


@pytest.fixture
def home(tmp_path: Path) -> Path:
    make_store(tmp_path / "n", model="", relay="https://127.0.0.1:1/").close()
    return tmp_path / "n"


def found(home: Path, *, network: bool = False) -> dict[str, Check]:
    return {check.name: check for check in examine(home, page_port=8477, network=network)}


def test_every_line_has_a_sentence_and_a_remedy_where_one_is_needed(home: Path) -> None:
    checks = found(home)
    assert list(checks) == NAMES
    for check in checks.values():
        assert check.says.endswith("."), check
        assert bool(check.do) is (check.state != "ok"), check


def test_alone_nothing_is_asked_but_on_request(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []

    def no(address: object, timeout: float) -> None:
        asked.append(address)
        raise OSError

    monkeypatch.setattr(reach.socket, "create_connection", no)
    monkeypatch.setattr(reach, "_joins", lambda ip: bool(asked.append(ip)))
    checks = found(home)
    assert asked == []
    assert "Nothing was asked" in checks["relay"].says
    checks = found(home, network=True)
    assert ("127.0.0.1", 1) in asked
    assert checks["relay"].state == "attention"
    assert "--relay default" in checks["relay"].do


def test_what_this_start_switched_off_is_not_asked_for(home: Path) -> None:
    service = Service(home)
    service.store.set(started={"relay": False, "local": False}, model="bpr")
    assert "Switched off" not in found(home)["relay"].says, "the node does not run"
    with service.store.running():
        checks = found(home)
    assert checks["relay"].says == "Switched off for this start (--no-relay)."
    assert checks["local network"].says == "Switched off for this start (--no-local)."
    service.close()


def test_a_relay_that_answers(home: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as there:
        service = Service(home)
        service.store.set(relay=f"http://127.0.0.1:{there.getsockname()[1]}/")
        assert reach.relay(service, True).state == "ok"
        service.close()


def test_damage_is_a_problem_and_the_rest_is_still_looked_at(home: Path) -> None:
    service = Service(home)
    service.add([Rating(f"csv:{n}", "", value=3.0) for n in range(5)])
    service.store.write("UPDATE ratings SET value = 4")
    service.close()
    checks = found(home)
    assert checks["ratings"].state == "problem"
    assert "restore" in checks["ratings"].do
    assert checks["disk"].state == "ok"
    (home / "node.db").write_bytes(b"nonsense" * 1000)
    assert found(home)["store"].state == "problem"


def test_a_flipped_bit_in_a_title_is_a_problem(home: Path) -> None:
    service = Service(home)
    service.add([Rating("film:t:night ferry:2010", "Night Ferry (2010)", value=3.0)])
    service.store.write("UPDATE items SET title = 'Night Fezry (2010)'")
    service.close()
    assert found(home)["ratings"].state == "problem"
    assert "titles of ratings" in found(home)["ratings"].says


def test_a_port_that_is_taken_and_people_that_are_not_reached(home: Path) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as taken:
        taken.bind(("0.0.0.0", 0))
        service = Service(home)
        service.store.set(port=taken.getsockname()[1], model="bpr")
        service.contacts.save(
            Peer(name_of(1), "Ana", allowed=True, last_seen=1e9, problem="no answer in time")
        )
        service.contacts.save(Peer(name_of(2), "Bo", allowed=True, last_seen=1e9))
        service.close()
        checks = found(home)
    assert (checks["port"].state, checks["people"].state) == ("attention", "attention")
    assert "1 of 2 are reached; Ana was heard" in checks["people"].says
    assert "no answer in time" in checks["people"].says


def test_a_clock_that_went_back_is_noticed(home: Path) -> None:
    service = Service(home)
    service.ledger.enter(4e9, "ab" * 32, "hello", 0, 0, 10, 1.0)
    service.close()
    assert found(home)["clock"].state == "problem"
