"""The names of the package, for type checkers."""

from tacit.testing.attack_kit import check_attack as check_attack
from tacit.testing.baseline_kit import check_baseline as check_baseline
from tacit.testing.merge_kit import check_merge as check_merge
from tacit.testing.metric_kit import check_metric as check_metric
from tacit.testing.metric_kit import check_ranking as check_ranking
from tacit.testing.model_kit import check_model as check_model
from tacit.testing.privacy_kit import check_shield as check_shield
from tacit.testing.protocol_kit import check_protocol as check_protocol
from tacit.testing.sampler_kit import check_graph as check_graph
from tacit.testing.sampler_kit import check_sampler as check_sampler
from tacit.testing.split_kit import check_split as check_split

__all__: list[str]
