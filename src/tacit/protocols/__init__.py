"""How models travel, one folder per protocol.

    gossip               every node sends to one random peer per period (Hegedűs et al.)
    view_gossip          every node sends to its whole view; received models are weighed (PEPPER)
    clusters, ensemble   gossip of agents for several users; gossip that judges what it receives (Dymbe)
    federated            a server averages the differences that clients return (Hegedűs et al.)
    federated_averaging  a server averages whole models (FedAvg, FedFast, Reptile)
    federated_pairs      a server adds up pair-wise updates (FPL, FedeRank)
    federated_sums       a server adds up statistics, everybody solves (tacit/federated)
    fcf                  a server moves by everybody's gradients (federated collaborative filtering)
    push_sum             nodes add up statistics without a server (tacit/best)
    centralized          one place has everybody's data; centralized_pairs: the same for BPR
    baseline             another recommender, fitted once in one place
    alone                nobody sends anything

In every folder the same file name has the same role. `protocol.py` declares its settings, checks them and builds the
simulation. `node.py` is what one device does: a state machine without I/O and without a clock. `kernels.py` is compiled
code that node and simulation share. `simulation.py` and `*_kernels.py` run all nodes in virtual time.

    from tacit.protocols import Gossip
"""

from __future__ import annotations

from tacit.core.lazy import lazy_names

__getattr__, __all__ = lazy_names(
    __name__,
    {
        "tacit.protocols.alone.protocol": "Alone",
        "tacit.protocols.base": "Protocol",
        "tacit.protocols.baseline.protocol": "FittedBaseline",
        "tacit.protocols.centralized.protocol": "Centralized",
        "tacit.protocols.centralized_pairs.protocol": "CentralizedPairs",
        "tacit.protocols.clusters.protocol": "Clusters",
        "tacit.protocols.ensemble.protocol": "Ensemble",
        "tacit.protocols.fcf.protocol": "FederatedFiltering",
        "tacit.protocols.federated.protocol": "Federated",
        "tacit.protocols.federated_averaging.protocol": "FederatedAveraging",
        "tacit.protocols.federated_pairs.protocol": "FederatedPairs",
        "tacit.protocols.federated_sums.protocol": "FederatedSums",
        "tacit.protocols.gossip.protocol": "Gossip",
        "tacit.protocols.push_sum.protocol": "PushSum",
        "tacit.protocols.view_gossip.protocol": "ViewGossip",
    },
)


def __dir__() -> list[str]:
    return __all__
