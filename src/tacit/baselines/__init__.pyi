"""The names of the package, for type checkers."""

from tacit.baselines.base import Baseline as Baseline
from tacit.baselines.biases import Biases as Biases
from tacit.baselines.ials import ImplicitLeastSquares as IALS
from tacit.baselines.item_knn import ItemNeighbours as ItemKNN
from tacit.baselines.popular import Popular as Popular
from tacit.baselines.random import Random as Random
from tacit.baselines.user_knn import UserNeighbours as UserKNN
from tacit.baselines.vae import Vae as VAE

__all__ = ["IALS", "VAE", "Baseline", "Biases", "ItemKNN", "Popular", "Random", "UserKNN"]
