"""Kits that check a part of one's own against what tacit expects of it, and networks in memory for tests.

    from tacit.testing import check_merge

    def test_mine() -> None:
        check_merge(my_merge)

A kit returns nothing and raises AssertionError with one line that says which expectation was broken. Kits are loaded
when they are first asked for: importing this package costs nothing.

    merge_kit, metric_kit, model_kit    checks of a merge, a metric, a model
    privacy_kit, sampler_kit            checks of a shield, of a peer sampler or graph
    expect                              assertions that the kits share
    in_memory_host                      gossip nodes in virtual time, without node and store (for the simulator's tests)
    in_memory_network, virtual_time     a transport and an event loop for live nodes
    memory_sums                         the same as in_memory_host for push-sum
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tacit.testing.attack_kit import check_attack
    from tacit.testing.merge_kit import check_merge
    from tacit.testing.metric_kit import check_metric, check_ranking
    from tacit.testing.model_kit import check_model
    from tacit.testing.privacy_kit import check_shield
    from tacit.testing.protocol_kit import check_protocol
    from tacit.testing.sampler_kit import check_graph, check_sampler

__all__ = [
    "check_attack",
    "check_graph",
    "check_merge",
    "check_metric",
    "check_model",
    "check_protocol",
    "check_ranking",
    "check_sampler",
    "check_shield",
]

_HOME = {
    "check_attack": "attack_kit",
    "check_graph": "sampler_kit",
    "check_merge": "merge_kit",
    "check_metric": "metric_kit",
    "check_model": "model_kit",
    "check_protocol": "protocol_kit",
    "check_ranking": "metric_kit",
    "check_sampler": "sampler_kit",
    "check_shield": "privacy_kit",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
