"""The names of the package, for type checkers."""

from tacit.models.als import BiasedLeastSquares as ALS
from tacit.models.base import Kernels as Kernels
from tacit.models.base import Model as Model
from tacit.models.bias import Bias as Bias
from tacit.models.bpr import PairwiseRanking as BPR
from tacit.models.fcf import FederatedFiltering as FCF
from tacit.models.fm import FactorizationMachine as FM
from tacit.models.gmf import GeneralizedMatrixFactorization as GMF
from tacit.models.ials import ImplicitLeastSquares as IALS
from tacit.models.mf import MatrixFactorization as MF
from tacit.models.mlp import Perceptron as MLP
from tacit.models.none import NoModel as NoModel
from tacit.models.prme_g import MetricEmbedding as PRMEG

__all__ = [
    "ALS",
    "BPR",
    "FCF",
    "FM",
    "GMF",
    "IALS",
    "MF",
    "MLP",
    "PRMEG",
    "Bias",
    "Kernels",
    "Model",
    "NoModel",
]
