from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.core.errors import BadInput
from tacit.node.network.addresses import (
    MAX_ADDRESSES,
    checked_relay,
    good_addresses,
    is_good,
    is_relay,
    own_addresses,
    reachable_at,
    told_addresses,
)
from tests.node.live_network import make_store

RELAY = "https://relay.example:8443/"


@pytest.mark.parametrize("address", ["10.0.0.7:80", "[2001:db8::1]:65535", RELAY, "http://[::1]:3340/"])
def test_addresses_and_relays_are_told_apart(address: str) -> None:
    assert is_good(address)
    assert is_relay(address) is address.startswith("http")


@pytest.mark.parametrize(
    "address",
    [
        "evil.example:80", "10.0.0.7", "10.0.0.7:0", "10.0.0.7:65536", "10.0.0.777:1", "::1:80", "[::1]", "",
        "https://", "https://a b/", "https://user:word@relay.example/", "https://relay.example/path", "httpx://a/",
        "https://" + "a" * 200, "10.0.0.7:٣",
    ],
)  # fmt: skip
def test_what_is_neither_is_dropped(address: str) -> None:
    assert not is_good(address)


@given(st.lists(st.text(max_size=40) | st.ip_addresses(v=4).map(lambda ip: f"{ip}:9"), max_size=40))
def test_whatever_comes_is_read_and_iroh_takes_what_is_left(texts: list[str]) -> None:
    good = good_addresses(tuple(texts))
    assert len(good) <= MAX_ADDRESSES
    assert good_addresses(good) == good
    iroh = pytest.importorskip("iroh")
    peer = iroh.SecretKey.from_bytes(b"1" * 32).public()
    direct = [address for address in good if not is_relay(address)]
    assert len(iroh.EndpointAddr(peer, RELAY, direct).direct_addresses()) == len(direct)


def test_an_own_relay_is_checked() -> None:
    assert checked_relay("https://relay.example") == "https://relay.example/"
    assert checked_relay("default") == ""
    for wrong in ("relay.example", "ftp://relay.example/", "https://relay.example/?a=b"):
        with pytest.raises(BadInput, match="relay"):
            checked_relay(wrong)


def test_an_invitation_of_a_node_that_does_not_run_has_this_computer_s_addresses_and_the_relay(
    tmp_path: Path,
) -> None:
    store = make_store(tmp_path / "n", addresses=["9.9.9.9:9"], relay=RELAY)
    assert reachable_at(store) == (*own_addresses(20_000), RELAY)
    assert "127.0.0.1:20000" in reachable_at(store)
    assert all(is_good(address) for address in reachable_at(store))
    with store.running():
        assert reachable_at(store) == ("9.9.9.9:9",)
        store.set(addresses=[])  # It is paused.
        assert reachable_at(store) == (*own_addresses(20_000), RELAY)


def test_nobody_makes_us_contact_a_relay_that_we_do_not_use() -> None:
    iroh = "https://euc1-1.relay.n0.iroh.link./"
    said = ("10.0.0.9:5", "[fe80::1]:7", RELAY, iroh, "https://relay.n0.iroh.link.evil.example/", "nonsense")
    direct = ("10.0.0.9:5", "[fe80::1]:7")
    assert told_addresses(said, {""}) == (*direct, iroh)
    assert told_addresses(said, {RELAY}) == (*direct, RELAY)
    assert told_addresses(said, ()) == direct
