from __future__ import annotations

import polars as pl
import pytest

from tacit.data.dataset import load
from tacit.data.describe import sizes
from tacit.papers import data_tables
from tacit.papers.data_tables import facts, training_part, whole


def test_a_line_for_each_printed_number() -> None:
    table = load(pl.DataFrame({"user": [1, 1, 2], "item": [1, 2, 1]})).table
    lines = facts("tiny", sizes(table), {"users": 2, "sparsity": 0.5})
    assert [(f.name, f.ours, f.paper) for f in lines] == [("users", 2.0, 2), ("sparsity", 0.25, 0.5)]
    assert [f.ours for f in facts("tiny", None, {"users": 2})] == [None]


def test_nothing_is_downloaded_for_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(data_tables, "at_hand", lambda name: False)
    whole.cache_clear()
    training_part.cache_clear()
    assert whole("movielens-1m") is None
    assert training_part("movielens-1m") is None
    whole.cache_clear()
    training_part.cache_clear()
