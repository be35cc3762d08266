"""The names of the package, for type checkers."""

from tacit.protocols.alone.protocol import Alone as Alone
from tacit.protocols.base import Protocol as Protocol
from tacit.protocols.baseline.protocol import FittedBaseline as FittedBaseline
from tacit.protocols.centralized.protocol import Centralized as Centralized
from tacit.protocols.centralized_pairs.protocol import CentralizedPairs as CentralizedPairs
from tacit.protocols.clusters.protocol import Clusters as Clusters
from tacit.protocols.ensemble.protocol import Ensemble as Ensemble
from tacit.protocols.fcf.protocol import FederatedFiltering as FederatedFiltering
from tacit.protocols.federated.protocol import Federated as Federated
from tacit.protocols.federated_averaging.protocol import FederatedAveraging as FederatedAveraging
from tacit.protocols.federated_pairs.protocol import FederatedPairs as FederatedPairs
from tacit.protocols.federated_sums.protocol import FederatedSums as FederatedSums
from tacit.protocols.gossip.protocol import Gossip as Gossip
from tacit.protocols.push_sum.protocol import PushSum as PushSum
from tacit.protocols.view_gossip.protocol import ViewGossip as ViewGossip

__all__: list[str]
