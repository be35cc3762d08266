"""Undo: what was said before is there again."""

from __future__ import annotations

from pathlib import Path

import pytest

from tacit.core.errors import BadInput
from tacit.node.store.changes import KEPT, Changes
from tacit.node.store.ratings import RatingStore
from tacit.node.store.records import Rating
from tests.node.live_network import make_store

FERRY, ROAD = "film:t:night ferry:2010", "film:t:salt road:1998"


@pytest.fixture
def ratings(tmp_path: Path) -> RatingStore:
    return RatingStore(make_store(tmp_path / "n"))


@pytest.fixture
def changes(ratings: RatingStore) -> Changes:
    return Changes(ratings._store, ratings)


def said(ratings: RatingStore) -> dict[str, float | str]:
    return {r.key: r.signal if r.value is None else r.value for r in ratings.ratings()}


def test_undo_goes_back_step_by_step(ratings: RatingStore, changes: Changes) -> None:
    ratings.rate([Rating(FERRY, "Night Ferry (2010)", value=4.5, time=7, source="imdb")])
    before = ratings.ratings()
    changes.make(Rating(FERRY, "", "disliked"))
    changes.make(Rating(ROAD, "Salt Road (1998)", "seen"))
    changes.make(Rating(ROAD, "", "seen"), remove=True)
    assert said(ratings) == {FERRY: "disliked"}
    assert changes.last() == "Salt Road (1998)"
    again = changes.undo()
    assert again is not None
    assert again.signal == "seen"
    assert changes.undo() is None
    assert said(ratings) == {FERRY: "disliked"}
    changes.undo()
    assert ratings.ratings()[0].source == "imdb"
    assert [r.value for r in ratings.ratings()] == [r.value for r in before]
    with pytest.raises(BadInput, match="nothing to undo"):
        changes.undo()


def test_one_action_by_its_number_with_what_came_after_on_that_item(
    ratings: RatingStore, changes: Changes
) -> None:
    first = changes.make(Rating(FERRY, "", "seen"))
    changes.make(Rating(ROAD, "", "want"))
    changes.make(Rating(FERRY, "", value=5.0))
    assert changes.undo(number=first) is None
    assert said(ratings) == {ROAD: "want"}
    with pytest.raises(BadInput, match="nothing to undo"):
        changes.undo(number=first)
    changes.undo()
    assert said(ratings) == {}


def test_people_undo_their_own(ratings: RatingStore, changes: Changes) -> None:
    number = changes.make(Rating(FERRY, "", "seen", person="ana"))
    for person in ("", "bo"):
        with pytest.raises(BadInput):
            changes.undo(person, number)
    changes.undo("ana")
    assert said(ratings) == {}


def test_only_so_many_are_kept(ratings: RatingStore, changes: Changes) -> None:
    for i in range(KEPT + 5):
        changes.make(Rating(f"csv:{i}", "", "seen"))
    for _ in range(KEPT):
        changes.undo()
    with pytest.raises(BadInput):
        changes.undo()
    assert ratings.count() == 5
