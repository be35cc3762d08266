"""Everything that parts of other packages are made of. These names stay where they are; files inside tacit may move.

from tacit.extending import Weight, kernel, setting
"""

from __future__ import annotations

from tacit.core.lazy import lazy_names

_HOMES = {
    "tacit.attacks.base": "Attack Audited Finding Progress judge victims",
    "tacit.baselines.base": "Baseline",
    "tacit.core.compiled.compiling": "kernel",
    "tacit.core.compiled.threads": "Workers",
    "tacit.core.errors": "BadInput",
    "tacit.core.interactions": "Interactions Positions",
    "tacit.core.message.update": "Draws Shield Update reshape",
    "tacit.core.node_state": "Field NodeArrays Ratings Visibility",
    "tacit.core.rng": "Stream below normal permutation uniform",
    "tacit.core.scorer": "Scorer Scores",
    "tacit.core.settings": "Count NonNegative Positive Proportion Share UnitInterval Whole setting",
    "tacit.data.sources.archives": "Parsed",
    "tacit.data.sources.known_datasets": "Source",
    "tacit.data.splits": "Splitter",
    "tacit.experiment.evaluations.base": "Evaluation",
    "tacit.experiment.experiment": "Experiment",
    "tacit.merges.age_average": "AgeAverage",
    "tacit.merges.base": "Merge Weight",
    "tacit.metrics.top_k": "where_relevant",
    "tacit.models.base": "Kernels Model",
    "tacit.peer_sampling.base": "Pick Sampler",
    "tacit.protocols.base": "Protocol",
    "tacit.protocols.gossip.simulation": "GossipSimulation",
    "tacit.simulator.scoring": "scorer_of",
    "tacit.simulator.simulation": "Scenario Simulation",
}
__getattr__, __all__ = lazy_names(__name__, _HOMES)


def __dir__() -> list[str]:
    return __all__
