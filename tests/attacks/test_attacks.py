"""Every attack passes its kit, against every protocol that it says it is against."""

from __future__ import annotations

from typing import Any

import pytest

from tacit.core.registry import offered
from tacit.models.base import Model
from tacit.models.bpr import PairwiseRanking
from tacit.models.gmf import GeneralizedMatrixFactorization
from tacit.models.ials import ImplicitLeastSquares
from tacit.testing import check_attack

ATTACKS: dict[str, Any] = offered("tacit.attacks", "attack")
PROTOCOLS: dict[str, Any] = offered("tacit.protocols", "protocol")
MODELS: dict[str, Model] = {
    "federated-averaging": GeneralizedMatrixFactorization(k=2),
    "federated-pairs": PairwiseRanking(k=2),
    "federated-sums": ImplicitLeastSquares(k=2),
    "push-sum": ImplicitLeastSquares(k=2),
    "view-gossip": GeneralizedMatrixFactorization(k=2),
}


@pytest.mark.parametrize(("attack", "against"), [(a, p) for a, one in ATTACKS.items() for p in one.against])
def test_kit(attack: str, against: str) -> None:
    check_attack(ATTACKS[attack](), PROTOCOLS[against](), MODELS.get(against))


def test_every_attack_is_named_by_its_file_and_against_a_protocol_there_is() -> None:
    assert len(ATTACKS) >= 5
    for name, one in ATTACKS.items():
        assert one.name == name
        assert set(one.against) <= set(PROTOCOLS)
        assert len(one.against) > 0
