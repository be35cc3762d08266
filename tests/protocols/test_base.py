"""Every protocol passes the kit."""

from __future__ import annotations

from typing import Any

import pytest

from tacit.core.registry import offered
from tacit.models.base import Model
from tacit.models.bpr import PairwiseRanking
from tacit.models.fcf import FederatedFiltering
from tacit.models.gmf import GeneralizedMatrixFactorization
from tacit.models.ials import ImplicitLeastSquares
from tacit.models.none import NoModel
from tacit.testing import check_protocol

PROTOCOLS: dict[str, Any] = offered("tacit.protocols", "protocol")
MODELS: dict[str, Model] = {
    "baseline": NoModel(),
    "centralized-pairs": PairwiseRanking(k=2),
    "fcf": FederatedFiltering(k=2),
    "federated-averaging": GeneralizedMatrixFactorization(k=2),
    "federated-pairs": PairwiseRanking(k=2),
    "federated-sums": ImplicitLeastSquares(k=2),
    "push-sum": ImplicitLeastSquares(k=2),
    "view-gossip": GeneralizedMatrixFactorization(k=2),
}


@pytest.mark.parametrize("name", PROTOCOLS)
def test_kit(name: str) -> None:
    more = {"size": 3} if name == "clusters" else {}
    assert PROTOCOLS[name].name == name
    check_protocol(PROTOCOLS[name](**more), MODELS.get(name))
