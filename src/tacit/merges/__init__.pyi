"""The names of the package, for type checkers."""

from tacit.merges.age_average import AgeAverage as AgeAverage
from tacit.merges.base import Merge as Merge
from tacit.merges.exponential import Exponential as Exponential
from tacit.merges.keep_oldest import KeepOldest as KeepOldest
from tacit.merges.model_age import ModelAge as ModelAge
from tacit.merges.none import Replace as Replace
from tacit.merges.performance import Performance as Performance
from tacit.merges.polynomial import Polynomial as Polynomial
from tacit.merges.samples import Samples as Samples

__all__: list[str]
