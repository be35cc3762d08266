"""The names of the package, for type checkers."""

from tacit.baselines.base import Baseline as Baseline
from tacit.baselines.popular import Popular as Popular
from tacit.baselines.random import Random as Random

__all__: list[str]
