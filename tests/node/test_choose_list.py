"""What a rating weighs, and what is in a list."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tacit.core.errors import BadInput
from tacit.node.choose_list import chosen, ranked, weights
from tacit.node.start.recommender import Recommender
from tacit.node.store.records import CircleLikes, Rating, Wish
from tests.node.start.starts import start

START = start()
RECOMMENDER = Recommender(START)
OWN = [
    Rating(START.keys[0], START.titles[0], value=5.0),
    Rating(START.keys[1], START.titles[1], value=3.0),
    Rating(START.keys[2], START.titles[2], value=1.0),
    Rating(START.keys[3], START.titles[3], "seen"),
    Rating(START.keys[4], START.titles[4], "disliked"),
    Rating(START.keys[5], START.titles[5], "want"),
    Rating("book:t:paper boats:okafor", "Paper Boats, Okafor", "liked"),
]


def names(wish: Wish, n: int = 10) -> list[str]:
    return [item.key for item in chosen(ranked(RECOMMENDER, OWN, wish), n, wish)]


def test_what_ratings_weigh() -> None:
    found = weights(OWN)
    assert [found[rating.key] for rating in OWN if rating.signal != "want"] == [1, 0.25, 0, 0.25, 0, 1]
    assert START.keys[5] not in found
    assert weights([OWN[3]]) == {START.keys[3]: 1.0}, (
        "somebody who never says what they like likes what they see"
    )


def test_what_was_met_is_left_out_and_what_is_wanted_is_not() -> None:
    everything = names(Wish(), 500)
    assert not set(everything) & set(START.keys[:5])
    assert START.keys[5] in everything
    assert set(START.keys[:5]) <= set(names(Wish(seen=True), 500))


def test_kinds_and_years() -> None:
    assert names(Wish(kinds=frozenset({"book"}))) == []
    assert len(names(Wish(kinds=frozenset({"film", "book"})))) == 10
    years = {START.years[RECOMMENDER.place[key]] for key in names(Wish(years=(1950, 1954)), 50)}
    assert years == {1950, 1951, 1952, 1953, 1954}
    for wish, says in (
        (Wish(kinds=frozenset({"opera"})), "kind: got opera; allowed: film"),
        (Wish(years=(1999, 1990)), "the earlier year first"),
    ):
        with pytest.raises(BadInput, match=says):
            names(wish)
    with pytest.raises(BadInput, match="-n: got 0"):
        names(Wish(), 0)


def test_only_new_ones() -> None:
    wish = Wish(new=True)
    shown = set(names(Wish(), 5))
    found = chosen(ranked(RECOMMENDER, OWN, wish), 5, wish, lambda key: key not in shown)
    assert not {item.key for item in found} & shown
    assert len(found) == 5


def test_reasons_are_titles_of_own_ratings_and_colours_come_along() -> None:
    items = chosen(ranked(RECOMMENDER, OWN, Wish()), 30, Wish())
    own = {OWN[0].title, OWN[-1].title}  # three stars and what was only seen are no likes
    assert any(item.because for item in items)
    assert all(set(item.because) <= own and len(item.because) <= 2 for item in items)
    assert all(item.hue == START.hues[RECOMMENDER.place[item.key]] for item in items)


def test_no_ten_sequels() -> None:
    story = [f"Salt Road {i} ({year})" for i, year in enumerate(START.years[:100])]
    parts = replace(START, titles=story + START.titles[100:])
    found = chosen(ranked(Recommender(parts), [], Wish()), 150, Wish())
    assert sum(item.title.startswith("Salt Road") for item in found) == 2


def test_a_title_that_only_a_member_knows_is_shown_by_its_key() -> None:
    friends = CircleLikes({"Bo": frozenset({"film:t:grey hours:2001"})})
    found = {item.key: item for item in ranked(RECOMMENDER, OWN, Wish(), friends)}
    assert found["film:t:grey hours:2001"].title == "Grey Hours (2001)"
    assert found["film:t:grey hours:2001"].year == 2001
