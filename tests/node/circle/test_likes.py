from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.node.circle.likes import Choice, OpenList, received_likes, release_likes, says_the_same
from tacit.node.circle.sealed_list import open_list, seal_parts
from tacit.node.network.circle_messages import Card, Head
from tacit.node.receive_limits import MAX_TITLES
from tacit.node.store.records import Rating
from tests.node.circle.friends import ALL, film

KEY, CIRCLE, ME = b"k" * 64, b"c" * 16, "ab" * 32
ratings = st.lists(
    st.builds(
        Rating,
        key=st.sampled_from([film(word) for word in ("one", "two", "six", "ten")] + ["csv:1", "csv:2"]),
        title=st.just("T"),
        value=st.floats(1, 5),
        time=st.integers(0, 10**9),
    ),
    unique_by=lambda rating: rating.key,
)


def test_only_the_door_makes_a_list() -> None:
    with pytest.raises(TypeError, match="release_likes"):
        OpenList({})


@given(ratings, st.floats(1, 3.4), st.integers(0, 10**9))
def test_what_is_not_liked_or_not_chosen_leaves_no_mark(said: list[Rating], value: float, time: int) -> None:
    """Other numbers, times and sources of ratings, and any dislikes, give the same bytes."""
    choice = Choice(kinds=frozenset({"film"}))
    likes = release_likes(said, choice)
    liked = [rating for rating in said if rating.key in likes.titles]
    others = [
        replace(rating, value=value, time=time, source="elsewhere") if rating not in liked else rating
        for rating in said
    ]
    stars = [replace(rating, value=5.0, source="other") if rating in liked else rating for rating in others]
    first = seal_parts(CIRCLE, ME, KEY, likes, Card())
    # A csv id that is liked is not chosen: it may as well not be there.
    kept = [rating for rating in stars if rating.key.startswith("film") or rating not in liked]
    assert seal_parts(CIRCLE, ME, KEY, release_likes(kept, choice), Card()) == first


@given(ratings)
def test_a_list_comes_back_as_it_was(said: list[Rating]) -> None:
    likes = release_likes(said, ALL)
    card = Card("Ana", True, ("127.0.0.1:1",))
    sealed = seal_parts(CIRCLE, ME, KEY, likes, card)
    head = Head(CIRCLE, ME, 1, 1, CIRCLE, len(likes.titles), sealed.hashes)
    opened, again = open_list(head, KEY, sealed.data.__getitem__)
    assert set(opened.titles) == set(likes.titles)
    assert again == card


def test_of_too_many_likes_the_newest_are_shared() -> None:
    said = [Rating(film(f"number {n}"), "", value=5.0, time=n) for n in range(MAX_TITLES + 5)]
    likes = release_likes(said, ALL)
    assert len(likes.titles) == MAX_TITLES
    assert film("number 4") not in likes.titles


@pytest.mark.parametrize(
    ("key", "title", "same"),
    [
        ("film:t:night ferry:2010", "The Night Ferry (2010)", True),
        ("film:t:night ferry:2010", "Night Ferry", True),
        ("film:t:amelie:2001", "Amélie (2001)", True),
        ("film:t:night ferry:2010", "Buy pills at evil.example", False),
        ("film:t:night ferry:2010", "Night Ferry: buy pills", False),
        ("csv:7", "Buy pills", False),
    ],
)
def test_a_member_cannot_write_anything_beside_a_key(key: str, title: str, same: bool) -> None:
    assert says_the_same(key, title) is same
    shown = received_likes([(key, title)]).titles[key]
    assert (shown == title) is same


def test_improper_keys_of_others_are_dropped() -> None:
    assert received_likes([("film:nothing", ""), ("csv:", ""), (film("one"), "")]).titles == {
        film("one"): "One (2001)"
    }
