"""Check a peer sampler or a graph: peers that exist, never oneself, fixed by the seed."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tacit.peer_sampling.base import Sampler
from tacit.peer_sampling.graphs import Neighbours
from tacit.testing.expect import expect, expect_part, kit, same_bits

_DRAWS = 6000


@kit
def check_sampler(sampler: Sampler, *, uniform: bool = True) -> None:
    """Check a sampler, whose kernel pick(seed, node, event, candidates, shape) says to whom a node sends.

    `uniform=False`: the sampler may prefer some candidates, as long as it reaches each of them.
    """
    expect_part("sampler", sampler)
    name, shape = f"sampler {sampler.name}", float(sampler.shape)

    def pick(seed: int, node: int, event: int, candidates: int) -> int:
        return sampler.pick(seed, node, event, candidates, shape)

    for candidates in (1, 2, 3, 20, 1000):
        for event in (*range(50), 1000):
            got = pick(3, 8, event, candidates)
            expect(0 <= got < candidates, f"{name}: picked {got} of {candidates}")
            expect(got == int(got), f"{name}: picked {got}, not a whole number")
            expect(got == pick(3, 8, event, candidates), f"{name}: picks anew when asked again")
    for what, rows in {
        "event": [pick(3, 8, event, 1000) for event in range(50)],
        "node": [pick(3, node, 0, 1000) for node in range(50)],
        "seed": [pick(seed, 8, 0, 1000) for seed in range(50)],
    }.items():
        expect(len(set(rows)) > 1, f"{name}: does not depend on the {what}")
    counts = np.bincount([pick(11, 2, event, 6) for event in range(_DRAWS)], minlength=6)
    expect((counts > 0).all(), f"{name}: never reaches some of its candidates: {counts.tolist()}")
    if uniform:
        # 20.5 is what chi-square with 5 degrees of freedom exceeds once in a thousand.
        chi = float(((counts - _DRAWS / 6) ** 2 / (_DRAWS / 6)).sum())
        expect(chi < 20.5, f"{name}: candidates are not equally likely: {counts.tolist()}")


def check_graph(make: Callable[[int, int], Neighbours]) -> None:
    """Check make(nodes, seed): one row of neighbours per node; an empty row stands for everybody.

    >>> from tacit.peer_sampling.graphs import k_out
    >>> check_graph(lambda nodes, seed: k_out(nodes, 20, seed))
    """
    for nodes in (2, 3, 30):
        table = make(nodes, 1)
        case = f"graph of {nodes} nodes"
        expect(table.dtype == np.int32, f"{case}: {table.dtype}; allowed: int32")
        expect(
            table.ndim == 2 and len(table) == nodes, f"{case}: shape {table.shape}; allowed: one row per node"
        )
        for node, row in enumerate(table):
            expect(
                ((row >= 0) & (row < nodes)).all(),
                f"{case}: node {node} knows {row.tolist()}, who do not all exist",
            )
            expect(node not in row, f"{case}: node {node} knows itself")
            expect(
                (np.diff(row) > 0).all(),
                f"{case}: neighbours {row.tolist()} of node {node} are not ascending",
            )
        expect(same_bits(table, make(nodes, 1)), f"{case}: another one when made again with the same seed")
