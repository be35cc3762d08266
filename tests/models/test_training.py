"""Passes over local data, by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tacit.core.compiled.compiling import kernel
from tacit.core.node_state import NodeArrays, Ratings
from tacit.models.mf import MatrixFactorization
from tacit.models.training import _training, training


@kernel
def note(node, own, draws, hyper):  # type: ignore[no-untyped-def]
    """A model that only writes down how it was called."""
    for part in range(3):
        node.rows[node.ages[0], part] = draws[part]
    node.ages[0] += 1


@pytest.mark.parametrize("remembers", [False, True])
def test_every_pass_of_every_event_draws_from_a_stream_of_its_own(remembers: bool) -> None:
    train = _training(note, remembers).train
    nothing = np.zeros(0, np.float32)
    rows = np.zeros((6, 3), np.float32)
    node = NodeArrays(rows, np.zeros(6, np.int32), nothing, nothing, nothing)
    for event in range(2):
        train(node, Ratings(np.zeros(0, np.int32), nothing), 3, (8, 9, event), MatrixFactorization().hyper())
    assert rows.tolist() == [[8, 9, n] for n in range(6)]


def test_only_an_optimizer_that_remembers_gets_a_memory() -> None:
    model = MatrixFactorization(k=1)
    plain, by_adam = training(model), training(replace(model, optimizer="adam"))
    assert plain.train is not by_adam.train
    assert training(MatrixFactorization(k=7)) is plain, "numbers are no other code"
