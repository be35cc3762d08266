from __future__ import annotations

from pathlib import Path

import pytest

from tacit.core.errors import BadInput
from tacit.node.catalogue.item_keys import row_id
from tacit.node.receive_limits import MAX_ITEMS
from tacit.node.store.ratings import RatingStore, signed, unsigned
from tacit.node.store.records import Rating
from tests.node.live_network import make_store

FERRY = "film:t:night ferry:2010"


@pytest.fixture
def rating_store(tmp_path: Path) -> RatingStore:
    return RatingStore(make_store(tmp_path / "n"))


def test_rows_survive_sqlite_s_signed_numbers() -> None:
    for row in (0, 1, 2**63 - 1, 2**63, 2**64 - 1):
        assert -(2**63) <= signed(row) < 2**63
        assert unsigned(signed(row)) == row


def test_the_last_word_about_an_item_counts(rating_store: RatingStore) -> None:
    assert rating_store.rate([Rating(FERRY, "Night Ferry", value=4.5, time=9)]) == 1
    assert rating_store.rate([Rating(FERRY, "Night Ferry", value=4.5, time=9)]) == 0
    assert rating_store.rate([Rating(FERRY, "", "seen"), Rating("csv:7", "", value=1.0)]) == 2
    kept = {rating.key: rating for rating in rating_store.ratings()}
    assert (kept[FERRY].signal, kept[FERRY].value, kept["csv:7"].title) == ("seen", None, "7")
    rating_store.unrate(FERRY)
    assert [rating.key for rating in rating_store.ratings()] == ["csv:7"]


def test_people_of_a_cluster_are_kept_apart(rating_store: RatingStore) -> None:
    rating_store.rate(
        [Rating("csv:1", "", value=1.0, person="ana"), Rating("csv:1", "", value=5.0, person="bo")]
    )
    assert [(r.person, r.value) for r in rating_store.ratings()] == [("ana", 1.0), ("bo", 5.0)]
    assert [r.value for r in rating_store.ratings("bo")] == [5.0]


@pytest.mark.parametrize(
    "rating",
    [
        Rating(FERRY, "", value=5.5),
        Rating(FERRY, "", value=float("nan")),
        Rating(FERRY, ""),
        Rating(FERRY, "", "seen", 3.0),
        Rating(FERRY, "", "adored"),  # type: ignore[arg-type]
        Rating("no key", "", value=3.0),
    ],
)
def test_one_bad_rating_and_none_is_kept(rating_store: RatingStore, rating: Rating) -> None:
    with pytest.raises(BadInput):
        rating_store.rate([Rating("csv:1", "", value=3.0), rating])
    assert rating_store.count() == 0


def test_search_finds_words_anywhere_and_takes_signs_literally(rating_store: RatingStore) -> None:
    rating_store.rate([Rating(FERRY, "The Night Ferry", "seen"), Rating("csv:100%_x", "", "seen")])
    assert [item.key for item in rating_store.search("ferry nigh")] == [FERRY]
    assert [item.key for item in rating_store.search("0%_")] == ["csv:100%_x"]
    assert rating_store.search("_ight") == rating_store.search("  ") == []


def test_what_was_rated_is_told_to_nobody_before_its_row_left_or_somebody_else_told_it(
    rating_store: RatingStore,
) -> None:
    rating_store.rate([Rating(key, "", "seen") for key in ("csv:1", "csv:2", "csv:3")])
    assert rating_store.public_keys(0, 10) == []
    rating_store.publish([row_id("csv:1")])
    assert rating_store.add_public_keys(["csv:2", "csv:9"]) == 1
    assert set(rating_store.public_keys(0, 10)) == {"csv:1", "csv:2", "csv:9"}
    assert rating_store.unpublished_rows() == {row_id("csv:3")}


def test_keys_are_told_from_any_row_on_around_the_end(rating_store: RatingStore) -> None:
    keys = [f"csv:{n}" for n in range(50)]
    rating_store.add_public_keys(keys)
    ordered = sorted(keys, key=lambda key: signed(row_id(key)))
    start = row_id(ordered[48])
    assert rating_store.public_keys(start, 5) == [*ordered[48:], *ordered[:3]]


def test_a_title_known_here_is_not_replaced_by_what_somebody_told(rating_store: RatingStore) -> None:
    rating_store.rate([Rating(FERRY, "La Nuit du ferry", "seen")])
    rating_store.add_public_keys([FERRY])
    found = rating_store.item(row_id(FERRY))
    assert found is not None
    assert found.title == "La Nuit du ferry"


def test_the_catalogue_has_an_end(rating_store: RatingStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tacit.node.store.ratings.MAX_ITEMS", 3)
    assert rating_store.add_public_keys(["csv:1", "csv:2", "csv:3"]) == 3
    assert rating_store.add_public_keys(["csv:4"]) == 0
    assert MAX_ITEMS > 100_000
