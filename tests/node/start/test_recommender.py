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


def test_members_who_like_nothing_the_file_knows_make_nobody_alike() -> None:
    silent = {"Ana": frozenset[str](), "Bo": frozenset({"csv:one"})}
    ranking = RECOMMENDER.rank({}, silent)
    assert [key for key in ranking.best() if key in RECOMMENDER.place] == KEYS[::-1], (
        "popularity, as without them"
    )
    own = dict.fromkeys(KEYS[:5], 1.0)
    assert {key: RECOMMENDER.rank(own, silent).scores[key] for key in KEYS} == RECOMMENDER.rank(own).scores
    assert ranking.scores["csv:one"] > 0


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


def plainly(own: dict[str, float], friends: list[frozenset[str]]) -> dict[str, float]:
    """The rule once more, title by title and in the words of its description."""
    p, place = START.public, RECOMMENDER.place
    k = p.rows.shape[1]

    def vector(likes: dict[str, float], toward: np.ndarray) -> tuple[np.ndarray, float]:
        known = {key: v for key, v in likes.items() if key in place and v > 0}
        n = sum(known.values())
        w, t = p.w0 * (n + 0.5) / (n + p.h), p.tau / (1 + n / 10)
        left = w * p.rows.T @ p.rows + t * p.precision + p.reg * np.sqrt(n + w * len(p)) * np.eye(k)
        right = t * p.precision @ toward
        for key, v in known.items():
            left = left + v * np.outer(p.rows[place[key]], p.rows[place[key]])
            right = right + v * p.rows[place[key]]
        return np.linalg.inv(left) @ right, n

    mine, n = vector(own, p.mean)
    heard = [likes for likes in friends if any(key in place for key in likes)]
    theirs = [vector(dict.fromkeys(likes, 1.0), p.mean)[0] for likes in heard]
    root = np.linalg.cholesky(p.precision)
    unit = [(v - p.mean) @ root / np.linalg.norm((v - p.mean) @ root) for v in theirs]
    me = (mine - p.mean) @ root / np.linalg.norm((mine - p.mean) @ root)
    m, s = len(heard), n / (n + 10)
    pairs = [unit[a] @ unit[b] for a in range(m) for b in range(a)]
    c = max(0.0, (sum(pairs) + s * sum(u @ me for u in unit)) / (len(pairs) + s * m + 1))
    toward = p.mean + c / (1 + (m - 1) * c) * sum(v - p.mean for v in theirs)
    x = p.rows @ vector(own, toward)[0]
    h, (c0, c1, c2, c3) = np.log1p(n) / 4, p.calibration
    taste = np.exp((c0 + c2 * h) * np.log(np.maximum(x, 0) + 0.003) + (c1 + c3 * h) * x)
    g, popular = 0.5 / (1 + n), p.counts + 0.5
    mixed = (taste / taste.sum()) ** (1 - g) * (popular / popular.sum()) ** g
    if not heard and n == 0:
        mixed = p.counts
    scores = dict(zip(KEYS, p.mean_likes * mixed / mixed.sum(), strict=True))
    cosines = iter(unit)
    weight = [
        np.exp(s * (next(cosines) @ me) + (1 - s) * c if likes in heard else c)
        * (p.mean_likes / max(1, len(likes))) ** 0.3
        for likes in friends
    ]
    liked = frozenset(key for key, v in own.items() if v >= 1)
    unknown = {key for likes in (*friends, liked) for key in likes if key not in place}
    count = {key: sum(key in likes for likes in (*friends, liked)) for key in unknown}
    r = min(
        0.05,
        (sum(v * (v - 1) for v in count.values()) + 1) / (sum(v * len(friends) for v in count.values()) + 20),
    )
    for key in unknown:
        got = [v for v, likes in zip(weight, friends, strict=True) if key in likes]
        if got:
            scores[key] = (0.5 * (1 - r) + sum(got)) / (1.5 * (1 - r) / r + sum(weight))
    return scores


@given(own_ratings, st.lists(likes, min_size=1, max_size=4))
def test_scores_are_those_of_the_rule_worked_out_plainly(
    own: dict[str, float], friends: list[frozenset[str]]
) -> None:
    found = RECOMMENDER.rank(own, {str(n): likes for n, likes in enumerate(friends)}).scores
    expected = plainly(own, friends)
    assert found.keys() == expected.keys()
    for key, value in expected.items():
        assert abs(found[key] - value) < 1e-6 * value
