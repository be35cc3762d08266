"""The runs that FPL's tables and figures are made of: algorithms, countries, values of pi."""

from __future__ import annotations

from tacit.papers.pairwise_runs import EVERY_PI, Choice

DATA = ("foursquare-brazil", "foursquare-canada", "foursquare-italy")
OWN = {
    "sFPL": Choice("fpl/sfpl", dict(zip(DATA, (0.5, 0.1, 0.4), strict=True))),
    "sFPL+": Choice("fpl/sfpl+", dict(zip(DATA, (0.9, 0.4, 0.2), strict=True))),
    "pFPL": Choice("fpl/pfpl", dict(zip(DATA, (0.8, 0.1, 1.0), strict=True))),
    "pFPL+": Choice("fpl/pfpl+", dict(zip(DATA, (0.8, 0.3, 0.1), strict=True))),
}
"""At the best pi the paper prints below its Table 2."""
ALGORITHMS = {name: choice.recipe for name, choice in OWN.items()}
TABLE_4 = {
    "Random": "Random",
    "Top-Pop": "Most Popular",
    "User-kNN": "User-kNN",
    "Item-kNN": "Item-kNN",
    "VAE": "VAE",
    "BPR-MF": "BPR-MF",
    "FCF": "FCF",
    **{name: name for name in OWN},
}
"""The rows of Table 4, and what we call them."""


def data(quick: bool) -> tuple[str, ...]:
    """The countries, those without data included; quickly: Italy."""
    return DATA[2:] if quick else DATA


def pis(quick: bool, name: str, place: str) -> tuple[float, ...]:
    """The values of pi that are run."""
    return tuple(sorted({0.0, 0.1, 1.0, OWN[name].pi[place]})) if quick else EVERY_PI
