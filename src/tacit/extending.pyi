"""The names of `extending.py`, for type checkers."""

from tacit.attacks.base import Attack as Attack
from tacit.attacks.base import Audited as Audited
from tacit.attacks.base import Finding as Finding
from tacit.attacks.base import Progress as Progress
from tacit.attacks.base import judge as judge
from tacit.attacks.base import victims as victims
from tacit.core.compiled.compiling import kernel as kernel
from tacit.core.errors import BadInput as BadInput
from tacit.core.interactions import Interactions as Interactions
from tacit.core.interactions import Positions as Positions
from tacit.core.message.update import Draws as Draws
from tacit.core.message.update import Shield as Shield
from tacit.core.message.update import Update as Update
from tacit.core.message.update import reshape as reshape
from tacit.core.node_state import Field as Field
from tacit.core.node_state import NodeArrays as NodeArrays
from tacit.core.node_state import Ratings as Ratings
from tacit.core.node_state import Visibility as Visibility
from tacit.core.rng import Stream as Stream
from tacit.core.rng import below as below
from tacit.core.rng import normal as normal
from tacit.core.rng import uniform as uniform
from tacit.core.settings import Count as Count
from tacit.core.settings import NonNegative as NonNegative
from tacit.core.settings import Positive as Positive
from tacit.core.settings import Proportion as Proportion
from tacit.core.settings import Share as Share
from tacit.core.settings import UnitInterval as UnitInterval
from tacit.core.settings import Whole as Whole
from tacit.core.settings import setting as setting
from tacit.data.sources.archives import Parsed as Parsed
from tacit.data.sources.known_datasets import Source as Source
from tacit.merges.age_average import AgeAverage as AgeAverage
from tacit.merges.base import Merge as Merge
from tacit.merges.base import Weight as Weight
from tacit.metrics.top_k import where_relevant as where_relevant
from tacit.models.base import Kernels as Kernels
from tacit.models.base import Model as Model
from tacit.peer_sampling.base import Pick as Pick
from tacit.peer_sampling.base import Sampler as Sampler
from tacit.protocols.base import Protocol as Protocol
from tacit.protocols.gossip.simulation import GossipSimulation as GossipSimulation
from tacit.simulator.simulation import Scenario as Scenario
from tacit.simulator.simulation import Simulation as Simulation

__all__: list[str]
