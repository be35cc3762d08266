"""Everything that parts of other packages are made of. These names stay where they are; files inside tacit may move.

from tacit.extending import Weight, kernel, setting
"""

from __future__ import annotations

from typing import Any

_HOMES = {
    "tacit.attacks.base": "Attack Audited Finding Progress judge victims",
    "tacit.core.compiled.compiling": "kernel",
    "tacit.core.errors": "BadInput",
    "tacit.core.interactions": "Interactions Positions",
    "tacit.core.message.update": "Draws Shield Update reshape",
    "tacit.core.node_state": "Field NodeArrays Ratings Visibility",
    "tacit.core.rng": "Stream below normal uniform",
    "tacit.core.settings": "Count NonNegative Positive Proportion Share UnitInterval Whole setting",
    "tacit.data.sources.archives": "Parsed",
    "tacit.data.sources.known_datasets": "Source",
    "tacit.merges.age_average": "AgeAverage",
    "tacit.merges.base": "Merge Weight",
    "tacit.metrics.top_k": "where_relevant",
    "tacit.models.base": "Kernels Model",
    "tacit.peer_sampling.base": "Pick Sampler",
    "tacit.protocols.base": "Protocol",
    "tacit.protocols.gossip.simulation": "GossipSimulation",
    "tacit.simulator.simulation": "Scenario Simulation",
}
__all__ = sorted(name for names in _HOMES.values() for name in names.split())


def __getattr__(name: str) -> Any:
    """Import a part's home only when the part is used."""
    from importlib import import_module

    for home, names in _HOMES.items():
        if name in names.split():
            return getattr(import_module(home), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return list(__all__)
