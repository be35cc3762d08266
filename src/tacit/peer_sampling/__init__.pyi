"""The names of the package, for type checkers."""

from tacit.peer_sampling.base import Sampler as Sampler
from tacit.peer_sampling.uniform import Uniform as Uniform

__all__: list[str]
