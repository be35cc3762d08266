"""`Recommender`: reasons that are true, and what a circle can and cannot change."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tacit.node.start.recommender import Recommender
from tests.node.start.starts import start

START = start()
KEYS = START.keys
RECOMMENDER = Recommender(START)
own_ratings = st.dictionaries(st.sampled_from(KEYS), st.sampled_from([0.0, 0.25, 1.0]), max_size=30)
likes = st.frozensets(st.sampled_from([*KEYS[:60], "csv:one", "csv:two", "csv:three"]), max_size=12)
circles = st.dictionaries(st.sampled_from(["Ana", "Bo", "Cem"]), likes, max_size=3)


@given(own_ratings, circles, st.sampled_from(KEYS))
def test_reasons_sum_to_the_score_that_orders_known_titles(
    own: dict[str, float], circle: dict[str, frozenset[str]], key: str
) -> None:
    reasons = RECOMMENDER.rank(own, circle).reasons(key)
    total = sum(reasons.own.values()) + reasons.public + sum(reasons.members.values())
    assert abs(total - reasons.score) < 1e-9
    assert set(reasons.own) <= set(own)


@given(own_ratings, circles)
def test_so_they_do_for_titles_that_only_the_circle_knows(
    own: dict[str, float], circle: dict[str, frozenset[str]]
) -> None:
    ranking = RECOMMENDER.rank(own, circle)
    unknown = {key for titles in circle.values() for key in titles if key.startswith("csv:")}
    assert {key for key in ranking.scores if key.startswith("csv:")} == unknown
    for key in unknown:
        reasons = ranking.reasons(key)
        assert abs(reasons.public + sum(reasons.members.values()) - ranking.scores[key]) < 1e-12
        assert set(reasons.members) == {name for name, titles in circle.items() if key in titles}


def test_the_linear_score_orders_the_list_where_all_are_equally_popular() -> None:
    """With n own ratings popularity has a share of 0.5 / (1 + n) besides."""
    even = replace(START, public=replace(START.public, counts=np.ones(len(START), np.int64)))
    ranking = Recommender(even).rank(dict.fromkeys(KEYS[:9], 1.0))
    x = {key: ranking.reasons(key).score for key in KEYS}
    positive = [key for key in ranking.best() if x[key] > 0]
    assert len(positive) > 50
    assert positive == sorted(positive, key=lambda key: -x[key])


def test_somebody_who_said_nothing_gets_popularity_exactly() -> None:
    order = RECOMMENDER.rank({}).best()
    assert order == KEYS[::-1], "counts ascend in this start"
    assert RECOMMENDER.rank({KEYS[3]: 0.0}).best() == order, "a dislike weighs nothing"
    assert RECOMMENDER.rank({"csv:unknown": 1.0}).best() == order


def test_a_member_who_left_leaves_no_trace() -> None:
    own = dict.fromkeys(KEYS[:5], 1.0)
    before = RECOMMENDER.rank(own).scores
    RECOMMENDER.rank(own, {"Bo": frozenset(KEYS[50:80])})
    assert RECOMMENDER.rank(own).scores == before


def test_without_a_start_a_circle_is_counted_by_overlap() -> None:
    ranking = Recommender().rank({"csv:a": 1.0}, {"Ana": {"csv:a", "csv:b"}, "Bo": {"csv:c"}})
    assert ranking.best()[0] in ("csv:a", "csv:b")
    assert ranking.scores["csv:b"] > ranking.scores["csv:c"]
    assert set(ranking.reasons("csv:b").members) == {"Ana"}
    assert Recommender().rank({"csv:a": 1.0}).best() == []


def test_the_largest_reasons_are_liked_titles_that_add() -> None:
    ranking = RECOMMENDER.rank(dict.fromkeys(KEYS[:10], 1.0))
    for key in KEYS[10:40]:
        reasons = ranking.reasons(key)
        largest = reasons.largest(KEYS)
        assert all(reasons.own[one] > 0 for one in largest)
        assert largest == sorted(reasons.own, key=lambda one: -reasons.own[one])[: len(largest)]
        assert set(reasons.largest(KEYS[:1])) <= {KEYS[0]}
