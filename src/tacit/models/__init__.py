"""Models: learning rules, one per file. Each is a set of small compiled functions on one node's arrays.

    mf bias                ratings by biased matrix factorization with SGD; by biases alone
    als                    ratings by alternating least squares, from sums over people
    fm                     ratings by a factorization machine with item features
    ials                   implicit feedback by alternating least squares, from sums over people; ials_rows.py solves
    fcf                    implicit feedback with a server's gradient steps
    bpr gmf                implicit feedback by pairs of items; by a generalized product, with negatives
    prme_g                 the next place to visit; prme_g_learning.py has its learning rule
    mlp                    labelled images; mlp_layers.py has the arithmetic
    none                   no model, for baselines

`base.py` says what a model is. `training.py` runs passes over local data. `score_all.py` scores every item for one
node. `adam.py` is the optimizer of all that learn by gradients. `shared_kernels.py` has what several of them need.

    from tacit.models import MF
"""

from __future__ import annotations

from tacit.core.lazy import lazy_names

__getattr__, __all__ = lazy_names(
    __name__,
    {
        "tacit.models.als": "ALS=BiasedLeastSquares",
        "tacit.models.base": "Kernels Model",
        "tacit.models.bias": "Bias",
        "tacit.models.bpr": "BPR=PairwiseRanking",
        "tacit.models.fcf": "FCF=FederatedFiltering",
        "tacit.models.fm": "FM=FactorizationMachine",
        "tacit.models.gmf": "GMF=GeneralizedMatrixFactorization",
        "tacit.models.ials": "IALS=ImplicitLeastSquares",
        "tacit.models.mf": "MF=MatrixFactorization",
        "tacit.models.mlp": "MLP=Perceptron",
        "tacit.models.none": "NoModel",
        "tacit.models.prme_g": "PRMEG=MetricEmbedding",
    },
)


def __dir__() -> list[str]:
    return __all__
