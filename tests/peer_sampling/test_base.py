"""What is said of a place that is none of the candidates'."""

from __future__ import annotations

from tacit.peer_sampling.base import NoSuchPeer


def test_a_place_that_nobody_has_says_of_how_many() -> None:
    assert str(NoSuchPeer(100020, 20)) == "place 100020 of 20 peers"
    assert NoSuchPeer(100020, 20).args == (100020, 20)
