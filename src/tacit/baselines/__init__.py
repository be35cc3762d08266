"""Baselines: what recommenders are compared with. One per file, fitted in one place to everybody's data.

A baseline is a dataclass of settings whose `fit` gives a `Scorer` (base.py). It knows everything and protects nobody.
`protocols/baseline` runs one as if it were a protocol, so that it is measured like all others.

    popular random                       the same order for everybody; no order at all
    item_knn user_knn                    nearest neighbours; nearest_neighbours.py finds them
    ials                                 implicit ALS with all data in one place
    biases                               the mean rating and two biases, which predict ratings
    vae                                  a variational autoencoder, with torch

    from tacit.baselines import ItemKNN
"""

from __future__ import annotations

from tacit.core.lazy import lazy_names

__getattr__, __all__ = lazy_names(
    __name__,
    {
        "tacit.baselines.base": "Baseline",
        "tacit.baselines.biases": "Biases",
        "tacit.baselines.ials": "IALS=ImplicitLeastSquares",
        "tacit.baselines.item_knn": "ItemKNN=ItemNeighbours",
        "tacit.baselines.popular": "Popular",
        "tacit.baselines.random": "Random",
        "tacit.baselines.user_knn": "UserKNN=UserNeighbours",
        "tacit.baselines.vae": "VAE=Vae",
    },
)


def __dir__() -> list[str]:
    return __all__
