from __future__ import annotations

from pathlib import Path

import pytest

from tacit.core.errors import BadInput
from tacit.node.first_setup import create
from tacit.node.import_ratings import read_file
from tacit.node.service import Service
from tacit.node.store.database import Store
from tacit.node.store.records import Rating
from tests.node.live_network import make_store

FERRY = "film:t:night ferry:2010"


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return Service(make_store(tmp_path / "n").home)


def test_an_item_is_found_by_key_by_own_id_or_by_title(service: Service) -> None:
    service.add(
        [
            Rating(FERRY, "The Night Ferry", "seen"),
            Rating("film:t:night train:2011", "Night Train", "seen"),
            Rating("film:t:night:2012", "Night", "seen"),
            Rating("csv:42", "", "seen"),
        ]
    )
    assert service.find(FERRY).title == "The Night Ferry"
    assert service.find("42").key == "csv:42"
    assert service.find("ferry").key == FERRY
    assert service.find("night").key == "film:t:night:2012"  # exactly this title
    assert service.find("book:t:paper boats:okafor").title == "Paper Boats, Okafor"
    with pytest.raises(BadInput, match="one of: "):
        service.find("nigh")
    with pytest.raises(BadInput, match="a key or a title that is known"):
        service.find("harbour")


def test_every_signal_survives_an_export_and_an_import(service: Service, tmp_path: Path) -> None:
    said = [
        Rating("csv:1", "One", value=4.5, time=10**9),
        Rating("csv:2", "Two, with a comma", "liked"),
        Rating("csv:3", "Three", "disliked"),
        Rating("csv:4", "Four", "seen"),
        Rating("csv:5", "Five", "want"),
        Rating("csv:6", "Six", "dropped"),
    ]
    service.add(said)
    assert service.export(tmp_path / "out.csv") == 6
    again = read_file(tmp_path / "out.csv", "csv").ratings()
    assert [(r.key, r.title, r.signal, r.value) for r in again] == [
        (r.key, r.title, r.signal, r.value) for r in said
    ]


def test_a_preview_changes_nothing(service: Service) -> None:
    service.add([Rating(f"csv:{n}", "", value=3.0) for n in range(5)])
    before = service.store.arrays(), service.ledger.entries()
    assert service.preview().rows == service.preview().rows == 5
    assert (service.store.arrays(), service.ledger.entries()) == before


def test_nothing_to_go_on(service: Service) -> None:
    assert service.recommend() == []
    assert service.ledger.entries() == service.problem_log.latest() == service.peers() == []
    assert service.people() == [""]
    with pytest.raises(BadInput, match="-n"):
        service.recommend(0)


def test_a_new_node_has_a_key_of_its_own_and_shares_nothing_yet(tmp_path: Path) -> None:
    pytest.importorskip("iroh")
    ids = [create(tmp_path / name, name="Ana") for name in ("a", "b")]
    assert len(set(ids)) == 2
    stores = [Store(tmp_path / name) for name in ("a", "b")]
    assert stores[0].setting("seed") != stores[1].setting("seed")
    assert stores[0].setting("secret") != stores[1].setting("secret")
    assert Service(tmp_path / "a").status().sent.bytes == 0


@pytest.mark.parametrize("name", ["x" * 33, "two\nlines", "a\u202eb"])
def test_a_name_that_others_could_not_read_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(BadInput, match="plain characters"):
        create(tmp_path / "n", name=name)
    assert not (tmp_path / "n").exists()
