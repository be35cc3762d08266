"""Every ranking metric against ranx, on rankings with ties. Our tie-broken order is handed over as scores."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tacit.core.registry import offered
from tacit.core.rng import Stream, uniforms
from tacit.metrics.sampled_ranking import ranks, sampled_metrics
from tacit.metrics.top_k import hits_of
from tests.oracles.rankings import K, ranked

pytest.importorskip("ranx", reason="ranx is not installed: pip install '.[oracles]'")

NAMES = {
    "precision": "precision",
    "recall": "recall",
    "f1": "f1",
    "hr": "hit_rate",
    "mrr": "mrr",
    "ndcg": "ndcg",
    "map": "map",
}
"""Ours, and ranx's."""


def ask(qrels: dict[str, Any], run: dict[str, Any], metrics: list[str]) -> dict[str, np.ndarray]:
    """Queries are in the order of their names."""
    told = subprocess.run(
        [sys.executable, "-W", "ignore", str(Path(__file__).with_name("ask_ranx.py"))],
        input=json.dumps({"qrels": qrels, "run": run, "metrics": metrics}),
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert told.returncode == 0, told.stderr
    return {name: np.array(values) for name, values in json.loads(told.stdout).items()}


def places(items: list[int]) -> dict[str, float]:
    """Scores that fall from place to place."""
    return {str(item): float(len(items) - place) for place, item in enumerate(items)}


def test_every_metric_of_a_list_per_user() -> None:
    lists, held = ranked()
    users = np.flatnonzero(held.counts > 0)
    qrels = {f"{u:04}": {str(i): 1 for i in held.of(u)[0].tolist()} for u in users}
    run = {f"{u:04}": places([i for i in lists[u].tolist() if i >= 0]) for u in users}
    theirs = ask(qrels, run, [f"{name}@{K}" for name in NAMES.values()])
    hits = hits_of(lists, held.start, held.item)
    own = offered("tacit.metrics", "ranking")
    assert set(own) == set(NAMES), "every ranking metric has a counterpart"
    for ours, name in NAMES.items():
        expected = theirs[f"{name}@{K}"]
        if ours == "map":  # ranx divides by all that was held out, we by what a list of K can hold
            count = held.counts[users]
            expected = expected * count / np.minimum(count, K)
        assert own[ours](hits, held.counts)[users] == pytest.approx(expected), ours


def test_a_list_per_held_out_item_among_negatives() -> None:
    """HR and NDCG: one query per held-out item. F1: one per user, with all of them."""
    users, count, each = 12, 30, 4
    start = np.arange(users + 1) * each
    item = np.tile(np.arange(each, dtype=np.int32), users)
    negatives = np.tile(100 + np.arange(count, dtype=np.int32), (users, 1))
    scores = np.floor(5 * uniforms(3, Stream.SYNTHETIC, 0, users, each)).ravel()
    among = np.floor(5 * uniforms(4, Stream.SYNTHETIC, 0, users, count))
    found = ranks(9, start, item, scores, negatives, among)
    assert found.tied.any()
    metrics = sampled_metrics(start, found.alone, found.pooled, (5, 10))
    alone, pooled = {}, {}
    for u in range(users):
        own = range(start[u], start[u + 1])
        for n in own:
            others = [100 + m for m in range(count)]
            others.insert(int(found.alone[n]), int(item[n]))
            alone[f"{n:04}"] = places(others)
        together = [100 + m for m in range(count)]
        for n in sorted(own, key=lambda n: found.pooled[n]):
            together.insert(int(found.pooled[n]), int(item[n]))
        pooled[f"{u:04}"] = places(together)
    qrels = {f"a{query}": {str(item[int(query)]): 1} for query in alone}
    qrels |= {f"b{query}": {str(i): 1 for i in range(each)} for query in pooled}
    run = {f"a{query}": found for query, found in alone.items()}
    run |= {f"b{query}": found for query, found in pooled.items()}
    theirs = ask(qrels, run, [f"{name}@{k}" for name in ("hit_rate", "ndcg", "f1") for k in (5, 10)])
    per_item = {name: values[: len(alone)] for name, values in theirs.items()}
    per_user = {name: values[len(alone) :] for name, values in theirs.items()}
    for k in (5, 10):
        for ours, name in (("hr", "hit_rate"), ("ndcg", "ndcg")):
            expected = per_item[f"{name}@{k}"].reshape(users, each).mean(axis=1)
            assert metrics[f"{ours}@{k}"] == pytest.approx(expected)
        assert metrics[f"f1@{k}"] == pytest.approx(per_user[f"f1@{k}"])
