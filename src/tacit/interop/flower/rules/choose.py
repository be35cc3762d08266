"""The rule of a federation's protocol."""

from __future__ import annotations

from tacit.interop.flower.federation import Federation
from tacit.interop.flower.rules.averages import AveragesRule
from tacit.interop.flower.rules.base import Rule
from tacit.interop.flower.rules.differences import DifferencesRule
from tacit.interop.flower.rules.pairs import PairsRule
from tacit.interop.flower.rules.sums import SumsRule

_RULES: dict[str, type[Rule]] = {
    "federated": DifferencesRule,
    "federated-sums": SumsRule,
    "federated-pairs": PairsRule,
    "federated-averaging": AveragesRule,
}


def rule_of(federation: Federation) -> Rule:
    """Both halves of its rounds."""
    return _RULES[federation.protocol.name](federation)
