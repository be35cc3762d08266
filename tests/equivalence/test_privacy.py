"""Nothing private is ever in a message: every byte that left any node in a whole run is searched.

Three coincidences are left out by the choice of the example, because they say nothing about what leaves:

- A bias starts at Rmin/2, for users and for items alike, so the starting user bias is no secret.
- The first rating a user ever learns from moves user bias and item bias by the same amount from the same
  start. A user with a single rating would so have a bias equal to a shared one; here everybody has three.
- Two unrelated float32 numbers can be equal by chance. The network is small, and the seed fixed.
"""

from __future__ import annotations

import struct

import numpy as np
import pytest

from tacit.core.interactions import Interactions
from tacit.core.message.update import Update
from tacit.merges import age_average, none
from tacit.merges.base import Merge
from tacit.models.mf import MatrixFactorization
from tacit.protocols.gossip.node import GossipNode
from tacit.simulator.simulation import ticks
from tests.equivalence.networks import FULL, Network


class Watched(GossipNode):
    """A node that remembers every private number it ever held."""

    def __init__(self, *args: object) -> None:
        super().__init__(*args)  # type: ignore[arg-type]
        self.secrets = {number.tobytes() for number in self.state.private[:-1]}

    def receive(self, update: Update) -> None:
        super().receive(update)
        self.secrets |= {number.tobytes() for number in self.state.private}


class Odd(Network):
    """Ratings that no arithmetic on 1 .. 5 would give by accident."""

    @property
    def train(self) -> Interactions:
        table = super().train
        odd = table.value + np.random.default_rng(3).random(len(table)).astype(np.float32) / 7
        return Interactions(table.start, table.item, odd, None, table.order, table.items)


@pytest.mark.parametrize("merge", [none.merge(), age_average.merge()], ids=lambda m: m.name)
@pytest.mark.parametrize("share", [1.0, 0.3])
def test_no_private_number_and_no_rating_ever_leaves(merge: Merge, share: float) -> None:
    model = MatrixFactorization(k=2, eta=0.05, scale=(1.0, 5.2))
    network = Odd(merge, users=8, items=10, share=share, degree=3, epochs=2, model=model)
    host = network.host(Watched)
    host.run(ticks(8 * FULL))
    wire = b"|".join(data for _, _, _, data in host.wire)
    secrets = set().union(*(node.secrets for node in host.nodes))  # type: ignore[attr-defined]
    assert len(secrets) > 150
    assert not [secret for secret in secrets if secret in wire]
    for rating in network.train.value:
        assert struct.pack("<f", rating) not in wire
        assert struct.pack("<d", rating) not in wire
    # The search does find what was sent: the shared rows of the last sender, for one.
    assert host.wire[-1][3][-4:] in wire
    assert any(row.tobytes() in wire for node in host.nodes for row in node.state.rows)


def test_the_private_part_did_change_and_so_was_worth_hiding() -> None:
    network = Odd(age_average.merge(), users=8, items=10, degree=3)
    host = network.host(Watched)
    before = [node.state.private.copy() for node in host.nodes]
    host.run(ticks(9 * FULL))
    assert all((node.state.private != start).all() for node, start in zip(host.nodes, before, strict=True))
