"""The list is what comes out when every row is looked at one by one."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from tacit.core.message.update import received
from tacit.node.agent import Agent
from tacit.node.catalogue.item_keys import row_id
from tacit.node.exchange.disclosure import liked, stars
from tacit.node.fold_in import solve
from tacit.node.peer_compatibility import MODELS, rules_of
from tacit.node.recommend import recommend
from tacit.node.service import Service
from tacit.node.store.records import Rating, Recommendation
from tests.node.live_network import key_of, make_store

ROWS = 400
RATINGS = [
    *(Rating(key_of(i), f"Film {i}", value=1.0 + i % 5) for i in range(0, 60, 2)),
    *(Rating(key_of(i), f"Film {i}", "seen") for i in range(61, 71)),
    *(Rating(key_of(i), f"Film {i}", "want") for i in range(80, 90)),
    *(Rating(key_of(ROWS + i), "of a row nobody told about", value=5.0) for i in range(3)),
]


def some_agent(home: Path, model: str, seed: int) -> Agent:
    """A node that heard of many rows; of every third not what it is called."""
    agent = Agent(make_store(home, model=model), rules_of(model, 7, 10.0), eager=False)
    rng = np.random.default_rng(seed)
    keys = [key_of(i) for i in range(ROWS)]
    names = np.sort(np.array([row_id(key) for key in keys], np.uint64))
    rows = rng.normal(0, 0.4, (ROWS, agent.rules.model.row_width)).astype(np.float32)
    ages = rng.integers(0, 4, ROWS).astype(np.int32)
    dense = rng.normal(1, 0.1, agent.rules.model.dense_size).astype(np.float32)
    agent.learner.take(names, received(ROWS, None, rows, ages, dense, 9))
    agent.rating_store.rate(RATINGS)
    agent.rating_store.add_public_keys(key for n, key in enumerate(keys) if n % 3)
    return agent


def one_by_one(agent: Agent, n: int) -> list[Recommendation]:
    """The same in plain Python, over all rows."""
    learner, model, state = agent.learner, agent.rules.model, agent.learner.state
    place = {int(name): p for p, name in enumerate(learner.row_index.names)}
    here = {r.key: place[row_id(r.key)] for r in RATINGS if row_id(r.key) in place}
    met = {here[r.key] for r in RATINGS if r.key in here and r.signal != "want"}
    open_ = [p for p in range(len(place)) if state.ages[p] > 0 and p not in met]
    ranks = hasattr(model, "draws_negatives")
    used = [
        (here[r.key], 1.0 if ranks else stars(r))
        for r in agent.rating_store.ratings()
        if r.key in here and r.signal != "want" and state.ages[here[r.key]] > 0 and (liked(r) or not ranks)
    ]
    rated, values = np.array([p for p, _ in used]), np.array([v for _, v in used])
    private = solve(model, state, rated, values, np.array(open_), 7)
    scored = [
        (-float(model.kernels.score(state.rows, state.dense, private, p, model.hyper())), p) for p in open_
    ]
    likes = [here[r.key] for r in agent.rating_store.ratings() if r.key in here and liked(r)]
    found = []
    for score, p in sorted(scored):
        item = agent.rating_store.item(int(learner.row_index.names[p]))
        if item is not None and len(found) < n:
            near = sorted((q for q in likes if state.ages[q] > 0), key=lambda q: -cosine(state.rows, p, q))[
                :2
            ]
            titles = [agent.rating_store.item(int(learner.row_index.names[q])) for q in near]
            found.append(Recommendation(item.key, item.title, -score, [one.title for one in titles if one]))
    return found


def cosine(rows: np.ndarray, p: int, q: int) -> float:
    a, b = rows[p, :-1].tolist(), rows[q, :-1].tolist()
    return sum(x * y for x, y in zip(a, b, strict=True)) / math.hypot(*a) / math.hypot(*b)


@pytest.mark.parametrize("n", [1, 10, 1000])
@pytest.mark.parametrize("model", sorted({*MODELS} - {"ials"}))  # whose rows come from sums: test_sum_node.py
def test_the_list_is_that_of_looking_at_every_row(tmp_path: Path, model: str, n: int) -> None:
    agent = some_agent(tmp_path, model, seed=n)
    expected = one_by_one(agent, n)
    assert len(expected) == n or 100 < len(expected) < 400
    assert recommend(agent.learner, agent.rating_store, agent.rating_store.ratings(), n) == expected


def test_no_row_is_better_off_where_all_are_the_same(tmp_path: Path) -> None:
    agent = some_agent(tmp_path, "mf", seed=0)
    state = agent.learner.state
    state.rows[:] = 0.5
    found = recommend(agent.learner, agent.rating_store, agent.rating_store.ratings(), 10)
    names = agent.learner.row_index.names.tolist()
    places = [names.index(row_id(one.key)) for one in found]
    assert len({one.score for one in found}) == 1
    assert places != sorted(places)
    assert max(places) > ROWS // 2


def test_a_service_reads_the_model_again_only_when_another_was_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent = some_agent(tmp_path, "mf", seed=1)
    agent.dirty = True
    agent.flush()
    service = Service(tmp_path)
    reads = []
    arrays = service.store.arrays
    monkeypatch.setattr(service.store, "arrays", lambda: reads.append(1) or arrays())
    first = service.recommend(5)
    service.rate(first[0].key, 5.0)
    assert first[0].key not in [item.key for item in service.recommend(5)], "new ratings count at once"
    assert len(reads) == 1
    agent.learner.state.rows *= -1
    agent.dirty = True
    agent.flush()
    after = service.recommend(5)
    assert len(reads) == 2
    assert after == Service(tmp_path).recommend(5)
    assert {item.key for item in after} != {item.key for item in first}
