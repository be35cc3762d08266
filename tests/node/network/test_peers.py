"""Whom a node sends to, of many."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

from tacit.node.network.peers import Peers
from tacit.node.store.contacts import Contacts
from tacit.node.store.records import Peer
from tests.node.live_network import make_store, name_of


def peers_of(home: Path, peers: list[Peer], is_open: bool = False) -> Peers:
    contacts = Contacts(make_store(home))
    for peer in peers:
        contacts.save(peer)
    made = Peers(contacts, name_of(999), seed=3, period=10_000_000)
    made.reload(is_open)
    return made


def friend(number: int, **more: object) -> Peer:
    return replace(Peer(name_of(number), allowed=True), **more)  # type: ignore[arg-type]


def test_few_friends_are_all_sent_to(tmp_path: Path) -> None:
    few = peers_of(tmp_path / "n", [friend(n) for n in range(8)])
    assert few.chosen(few.candidates(), 5) == few.candidates()


def test_of_many_the_best_are_sent_to_most_and_everybody_at_times(tmp_path: Path) -> None:
    many = peers_of(tmp_path / "n", [friend(n, score=n / 30, sequence=1) for n in range(30)])
    names = many.candidates()
    seen = Counter(name for wakes in range(0, 4000, 10) for name in many.chosen(names, wakes))
    assert all(len(set(many.chosen(names, wakes))) == 8 for wakes in range(0, 100, 10))
    assert many.chosen(names, 13) == many.chosen(names, 17)
    assert set(seen) == set(names)
    # Eight places, 4.8 of them for the best: the best four are always there, the others share 3.2.
    assert [seen[name_of(n)] for n in range(26, 30)] == [400] * 4
    assert max(seen[name_of(n)] for n in range(24)) < 120


def test_nobody_was_scored_yet(tmp_path: Path) -> None:
    many = peers_of(tmp_path / "n", [friend(n) for n in range(20)])
    seen = Counter(name for wakes in range(0, 2000, 10) for name in many.chosen(many.candidates(), wakes))
    assert len(seen) == 20
    assert min(seen.values()) > 50


def test_who_may_talk_and_who_is_sent_to(tmp_path: Path) -> None:
    peers = [friend(1), friend(2, secret="s"), Peer(name_of(3), open=True), Peer(name_of(4))]
    closed = peers_of(tmp_path / "a", peers)
    assert closed.candidates() == [name_of(1)]
    assert [closed.may_talk(name_of(n)) for n in (1, 2, 3, 4, 5)] == [True, True, False, False, False]
    opened = peers_of(tmp_path / "b", peers, is_open=True)
    assert opened.candidates() == [name_of(1), name_of(3)]
    assert all(opened.may_talk(name_of(n)) for n in range(1, 6))
    assert [peer.id for peer in opened.invited_by()] == [name_of(2)]


def test_what_was_heard_survives_a_reload_and_a_flush(tmp_path: Path) -> None:
    one = peers_of(tmp_path / "n", [friend(1)])
    one.heard(name_of(1), 55.0)
    one.received(name_of(1), 7, 0.5)
    one.reload(is_open=False)
    assert (one.known[name_of(1)].last_seen, one.known[name_of(1)].sequence) == (55.0, 7)
    assert one.changed
    one.flush()
    assert not one.changed
    one.reload(is_open=False)
    assert (one.known[name_of(1)].score, one.known[name_of(1)].sequence) == (0.5, 7)
