"""What is announced tells nobody but friends who it is. That it works between computers: test_two_computers.py."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any

import pytest

from tacit.node.network import local_discovery
from tacit.node.network.local_discovery import Announcement, LocalDiscovery, mark_of

ANA, BO = "ab" * 32, "cd" * 32


@dataclass
class Info:
    properties: dict[bytes, bytes | None]
    port: int | None = 4000
    addresses: list[str] = field(default_factory=lambda: ["10.0.0.7", "fd00::1"])

    def parsed_addresses(self) -> list[str]:
        return self.addresses


def announced(node: str, salt: bytes = b"s" * 16) -> dict[bytes, bytes | None]:
    return {b"s": salt.hex().encode(), b"h": mark_of(node, salt).hex().encode()}


def test_only_who_knows_the_id_recognizes_an_announcement() -> None:
    heard = local_discovery._read(Info(announced(ANA)))
    assert heard is not None
    assert heard.is_of(ANA)
    assert not heard.is_of(BO)
    assert heard.addresses == ("10.0.0.7:4000", "[fd00::1]:4000")


def test_an_announcement_holds_no_id_and_no_name_and_is_another_each_time() -> None:
    pytest.importorskip("zeroconf")
    first, second = [local_discovery._announced(ANA, 4000) for _ in range(2)]
    for info in (first, second):
        said = f"{info.name} {info.server} {info.properties}"
        assert ANA[:12] not in said
        assert set(info.properties) == {b"s", b"h"}
    assert first.name != second.name
    assert first.properties[b"h"] != second.properties[b"h"]


@pytest.mark.parametrize(
    "info",
    [
        Info({}),
        Info({b"s": b"zz", b"h": b"00" * 16}),
        Info({b"s": b"\xff", b"h": None}),
        Info(announced(ANA), port=None),
        Info({b"s": b"00" * 15, b"h": b"00" * 16}),
    ],
)
def test_nonsense_is_not_heard(info: Info) -> None:
    assert local_discovery._read(info) is None


def test_the_newest_address_comes_first_and_few_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("zeroconf")
    infos = {f"n{n}": Info(announced(ANA, bytes([n]) * 16), addresses=[f"10.0.0.{n}"]) for n in range(1, 21)}

    class Asked(Info):
        def __init__(self, service: str, name: str) -> None:
            super().__init__(infos[name].properties, 4000, infos[name].addresses)

        async def async_request(self, zeroconf: Any, milliseconds: int) -> bool:
            return True

    monkeypatch.setattr("zeroconf.asyncio.AsyncServiceInfo", Asked)
    monkeypatch.setattr(local_discovery, "_MOST", 10)
    found: list[int] = []
    discovery = LocalDiscovery(BO, 4000, lambda: found.append(1))

    async def hear() -> None:
        for name in infos:
            await discovery._look_up(None, name)

    asyncio.run(hear())
    assert len(found) == 20
    assert len(discovery._heard) == 10
    assert discovery.addresses_of(ANA)[0] == "10.0.0.20:4000"
    assert len(discovery.addresses_of(ANA)) == local_discovery._MOST_ADDRESSES
    assert discovery.addresses_of(BO) == ()


def test_without_a_network_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("zeroconf")
    monkeypatch.setattr(local_discovery, "own_ips", list)
    assert asyncio.run(LocalDiscovery.open(ANA, 4000)) is None


def test_a_mark_depends_on_id_and_salt() -> None:
    marks = {mark_of(node, salt) for node in (ANA, BO) for salt in (b"a" * 16, b"b" * 16)}
    assert len(marks) == 4
    assert Announcement(b"a" * 16, mark_of(ANA, b"a" * 16), ()).is_of(ANA)
