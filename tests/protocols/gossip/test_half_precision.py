"""Models kept in 16 bits: the arithmetic is that of single precision, and only what is kept is rounded."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tacit.core.compiled.threads import Workers
from tacit.core.errors import BadInput
from tacit.experiment.prepare import prepare
from tacit.merges import age_average
from tacit.models.mf import MatrixFactorization
from tacit.protocols.gossip.simulation import GossipSimulation
from tacit.simulator import checkpoint
from tests.simulator.small import PERIOD, gossip, table

TWO = table((0, 0, 4), (1, 1, 2), users=2)
PAIR = [[1], [0]]
MANY = table(
    *((u, i, (u + i) % 5) for u in range(12) for i in range(40) if (u * i) % 3 == 0), users=12, items=40
)
RING = [[(u + 1) % 12, (u + 5) % 12] for u in range(12)]


def many(dtype: str, threads: int = 1, share: float = 1.0) -> GossipSimulation:
    return gossip(
        MANY, RING, merge=age_average.merge(), staggered=True, share=share, dtype=dtype,
        model=MatrixFactorization(scale=(0.0, 4.0)), workers=Workers(threads),
    )  # fmt: skip


def models(simulation: GossipSimulation) -> bytes:
    nodes = [simulation.node(u) for u in range(len(simulation.fleet.slot))]
    return b"".join(n.rows.tobytes() + n.ages.tobytes() + n.private.tobytes() for n in nodes)


def test_numbers_that_16_bits_hold_are_the_same() -> None:
    """Biases of two nodes after a cycle are halves and quarters."""
    ended = []
    for dtype in ("float16", "float32"):
        simulation = gossip(TWO, PAIR, merge=age_average.merge(), dtype=dtype)
        simulation.advance(2 * PERIOD)
        ended.append([simulation.node(u).rows.tolist() for u in range(2)])
    assert ended[0] == ended[1] != [[[0.0], [0.0]]] * 2


@pytest.mark.parametrize("share", [1.0, 0.3])
def test_rounding_changes_little_and_takes_half_the_memory(share: float) -> None:
    half, single = many("float16", share=share), many("float32", share=share)
    for simulation in (half, single):
        simulation.advance(10 * simulation.period)
    assert 2 * half._slots.rows.nbytes == single._slots.rows.nbytes
    assert 2 * half._slots.ages.nbytes == single._slots.ages.nbytes
    for u in range(12):
        rows, exact = half.node(u), single.node(u)
        np.testing.assert_array_equal(rows.ages, exact.ages)
        np.testing.assert_allclose(rows.rows, exact.rows, atol=0.01)
        assert (rows.rows != exact.rows).any()


@pytest.mark.parametrize("share", [1.0, 0.3])
def test_threads_and_stops_change_no_bit(tmp_path: Path, share: float) -> None:
    whole, stopped = many("float16", 1, share), many("float16", 3, share)
    whole.advance(9 * whole.period)
    stopped.advance(4 * whole.period + 7)
    checkpoint.write(tmp_path / "state.npz", stopped.save())
    resumed = many("float16", 2, share)
    with checkpoint.Reader(tmp_path / "state.npz") as arrays:
        assert arrays["rows"].dtype == np.float16
        resumed.restore(arrays)
    resumed.advance(9 * whole.period)
    assert models(resumed) == models(whole)


@pytest.mark.parametrize(
    ("recipe", "chosen", "why"),
    [
        ("hegedus/federated", {}, "protocol federated"),
        ("hegedus/gossip-merge", {"init": "data"}, "init data"),
        ("hegedus/gossip-merge", {"model": "gmf"}, "model gmf"),
        ("hegedus/gossip-merge", {"shield": "subsample"}, "shield subsample"),
    ],
)
def test_what_cannot_be_kept_in_16_bits_is_refused(recipe: str, chosen: dict[str, str], why: str) -> None:
    data = {"data.users": 20, "data.items": 20, "data.interactions": 100, "split.n": 1}
    with pytest.raises(BadInput, match=f"storage: got float16; allowed: float32 or float64 with {why}"):
        prepare(recipe, "synthetic", {**data, **chosen, "storage": "float16"})
