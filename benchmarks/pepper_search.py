"""The search behind PEPPER's recipes: every algorithm, competitors too, tries the same settings on validation parts.

python benchmarks/pepper_search.py OUT [gmf|paper|prme-g] [RECIPE ...]

gmf: honest negatives, MovieLens-100K and Foursquare-NYC; paper: the paper's negatives, MovieLens-100K; prme-g: honest
negatives, Foursquare-NYC. Chosen is what is best on average over the data sets. Runs that are finished
in OUT are not run again.
"""

from __future__ import annotations

import sys
from pathlib import Path

import tacit

RECIPES = ("pepper", "dec-fedavg", "model-age", "dec-reptile", "fedavg", "fedfast", "reptile")
PLACES = {"data.min_user": 10, "data.min_item": 10}
GMF = {"model.lr": [0.1, 0.2, 0.5], "model.reg": [0, 0.005, 0.02]}
PRME_G = {"model.lr": [0.2, 0.3, 0.5], "model.lam": [0.03, 0.1]}
SEARCHES = {
    "gmf": (["movielens-100k", "foursquare-nyc"], {"rounds": 100}, "hr@20", GMF),
    "paper": (["movielens-100k"], {"rounds": 100, "negatives": "paper"}, "hr@20", GMF),
    "prme-g": (["foursquare-nyc"], {"rounds": 100, "model": "prme-g"}, "f1@20", PRME_G),
}


def main(out: str, search: str = "gmf", *recipes: str) -> None:
    """Print a line for every setting of every algorithm: its figure on each data set, * at the best mean."""
    places, settings, metric, grid = SEARCHES[search]
    for recipe in recipes or RECIPES:
        found = []
        for data in places:
            more = settings | ({} if data == "movielens-100k" else PLACES) | {"evaluate.points": 4}
            folder = Path(out) / f"{search}-{recipe}-{data}"
            swept = tacit.sweep(f"pepper/{recipe}", grid, data, settings=more, metric=metric, out=folder)
            found.append([(str(one.setting), one.mean or 0.0) for one in swept.tried])
        means = [sum(value for _, value in same) / len(same) for same in zip(*found, strict=True)]
        for place, mean in enumerate(means):
            figures = "  ".join(f"{one[place][1]:.4f}" for one in found)
            mark = " *" if mean == max(means) else ""
            print(f"{recipe:12} {found[0][place][0]:40} {figures}  mean {mean:.4f}{mark}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
