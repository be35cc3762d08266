"""The runs that FedeRank's tables and figures are made of: algorithms, data sets, values of pi."""

from __future__ import annotations

from tacit.papers.pairwise_runs import EVERY_PI, Choice

DATA = ("amazon-digital-music", "librarything", "movielens-1m")
ALGORITHMS = {"T = 1": "federank/t1", "T = X+/U": "federank/tx"}
OWN = {
    # The paper names the best pi for two data sets only; on MovieLens-1M all are close, and 1 stands for them.
    "FedeRank T=1": Choice("federank/t1", dict(zip(DATA, (0.8, 0.5, 1.0), strict=True))),
    "FedeRank T=X+/U": Choice("federank/tx", dict(zip(DATA, (0.9, 1.0, 1.0), strict=True))),
}
_QUICK_PI = (0.0, 0.1, 0.9, 1.0)


def data(quick: bool) -> tuple[str, ...]:
    """The data sets, one that is not at hand included; quickly: Amazon Digital Music."""
    return DATA[:1] if quick else DATA


def pis(quick: bool, place: str, recipe: str = "") -> tuple[float, ...]:
    """MovieLens-1M with many triples takes ten minutes per pi, so only four are run."""
    return _QUICK_PI if quick or (place == "movielens-1m" and recipe == "federank/tx") else EVERY_PI
