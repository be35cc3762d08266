"""The names of the package, for type checkers."""

from tacit.models.base import Kernels as Kernels
from tacit.models.base import Model as Model
from tacit.models.bias import Bias as Bias
from tacit.models.none import NoModel as NoModel

__all__: list[str]
