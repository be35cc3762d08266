"""Kits that check a part of one's own against what tacit expects of it, and networks in memory for tests.

    from tacit.testing import check_merge

    def test_mine() -> None:
        check_merge(my_merge)

A kit returns nothing and raises AssertionError with one line that says which expectation was broken. Kits are loaded
when they are first asked for: importing this package costs nothing.

    merge_kit, metric_kit, model_kit    checks of a merge, a metric, a model
    privacy_kit, sampler_kit            checks of a shield, of a peer sampler or graph
    protocol_kit, attack_kit            checks of a protocol, of an attack
    baseline_kit, split_kit             checks of a baseline, of a split
    expect                              assertions that the kits share
    in_memory_host                      gossip nodes in virtual time, without node and store (for the simulator's tests)
    in_memory_network, virtual_time     a transport and an event loop for live nodes
    memory_sums                         the same as in_memory_host for push-sum
"""

from __future__ import annotations

from tacit.core.lazy import lazy_names

__getattr__, __all__ = lazy_names(
    __name__,
    {
        "tacit.testing.attack_kit": "check_attack",
        "tacit.testing.baseline_kit": "check_baseline",
        "tacit.testing.merge_kit": "check_merge",
        "tacit.testing.metric_kit": "check_metric check_ranking",
        "tacit.testing.model_kit": "check_model",
        "tacit.testing.privacy_kit": "check_shield",
        "tacit.testing.protocol_kit": "check_protocol",
        "tacit.testing.sampler_kit": "check_graph check_sampler",
        "tacit.testing.split_kit": "check_split",
    },
)


def __dir__() -> list[str]:
    return __all__
