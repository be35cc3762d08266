from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tacit.core.errors import BadInput
from tacit.node.network.addresses import good_addresses
from tacit.node.network.invitations import Ticket, new_secret, read_ticket, write_ticket
from tacit.node.store.contacts import VALID, Contacts
from tacit.node.store.records import Peer
from tests.node.live_network import make_store


def test_an_invitation_works_once_but_may_be_repeated_by_who_used_it(tmp_path: Path) -> None:
    contacts = Contacts(make_store(tmp_path / "n"))
    secret, late = new_secret(), new_secret()
    contacts.invite(secret, expires=100.0)
    contacts.invite(late, expires=100.0)
    assert "not one of" in contacts.accept(new_secret(), "ana", 50)
    assert contacts.accept(secret, "ana", 50) == ""
    assert contacts.accept(secret, "ana", 99) == ""
    assert "expired" in contacts.accept(secret, "ana", 500)
    assert "each works for one node" in contacts.accept(secret, "bo", 51)
    assert "expired" in contacts.accept(late, "bo", 101)


def test_the_secret_itself_is_not_kept(tmp_path: Path) -> None:
    store = make_store(tmp_path / "n")
    secret = new_secret()
    Contacts(store).invite(secret, 100.0)
    assert secret not in str(store.read("SELECT * FROM invitations"))


def test_peers_come_back_as_they_were(tmp_path: Path) -> None:
    contacts = Contacts(make_store(tmp_path / "n"))
    peer = Peer("a" * 64, "Ana", ("127.0.0.1:1", "[::1]:1"), True, True, 12.5, 0.75, 9, "s", "no answer")
    contacts.save(peer)
    assert contacts.peers() == [peer]
    contacts.touch(replace(peer, score=0.5, secret="other", problem=""))
    assert contacts.peer(peer.id) == replace(peer, score=0.5, problem="")
    contacts.remove(peer.id)
    contacts.touch(peer)
    assert contacts.peer(peer.id) is None


def test_a_ticket_is_one_line_that_survives_a_mail_program() -> None:
    ticket = Ticket("ab" * 32, ("127.0.0.1:9", "[fe80::1]:9"), new_secret())
    line = write_ticket(ticket)
    assert "\n" not in line
    assert read_ticket(f"  {line[:30]}\n  {line[30:]} ") == ticket
    assert read_ticket(line.replace(line[7:], line[7:].upper())) == ticket


@pytest.mark.parametrize("text", ["", "hello", "tacit1:", "tacit1:!!!", "tacit2:abc", "tacit1:" + "a" * 400])
def test_a_damaged_ticket_is_one_clear_line(text: str) -> None:
    with pytest.raises(BadInput, match="invitation") as told:
        read_ticket(text)
    assert "\n" not in str(told.value)


def test_a_ticket_cut_short_is_refused_without_repeating_the_secret() -> None:
    ticket = Ticket("ab" * 32, ("127.0.0.1:9",), new_secret())
    line = write_ticket(ticket)
    for length in range(len("tacit1:"), len(line)):
        with pytest.raises(BadInput) as told:
            read_ticket(line[:length])
        assert ticket.secret not in str(told.value)


def test_addresses_that_are_none_are_dropped() -> None:
    assert good_addresses(("1.2.3.4:5", "evil\nline", "x" * 100, "[::1]:7")) == ("1.2.3.4:5", "[::1]:7")
    assert len(good_addresses(tuple(f"1.2.3.4:{n}" for n in range(100)))) == 16


def test_somebody_removed_comes_back_only_with_an_invitation_made_later(tmp_path: Path) -> None:
    contacts = Contacts(make_store(tmp_path / "n"))
    used, spare, later = new_secret(), new_secret(), new_secret()
    for secret in (used, spare):
        contacts.invite(secret, 10 + VALID)
    assert contacts.accept(used, "bo", 20) == ""
    contacts.save(Peer("bo", allowed=True))
    contacts.block("bo", 30)
    assert contacts.peer("bo") is None
    assert "expired" in contacts.accept(used, "bo", 40)
    assert "before this node was removed" in contacts.accept(spare, "bo", 40)
    assert contacts.accept(spare, "ana", 40) == ""
    contacts.invite(later, 50 + VALID)
    assert contacts.accept(later, "bo", 60) == ""
    assert contacts.blocked() == {}
