"""Table 1 of FPL: the training parts, and how biased they are toward each category of venues (B_T)."""

from __future__ import annotations

import numpy as np

from tacit.core.interactions import Interactions
from tacit.data.categories import TOPS, item_categories
from tacit.data.dataset import Dataset
from tacit.data.describe import sizes
from tacit.metrics.category_bias import bias
from tacit.papers.base import Fact
from tacit.papers.data_tables import facts, training_part
from tacit.papers.fpl.runs import data
from tacit.papers.pairwise_runs import TITLES

_COLUMNS = ("users", "items", "records", "per user", "per item", "density")
_SIZES = {
    "foursquare-brazil": (17_473, 47_270, 599_958, 34.34, 12.69, 0.00073),
    "foursquare-canada": (1_340, 29_518, 63_514, 47.40, 2.15, 0.00161),
    "foursquare-italy": (1_353, 25_522, 54_088, 39.98, 2.20, 0.00157),
}
"""The paper writes its density with a percent sign; the numbers are fractions."""
_BIASES = {
    "foursquare-brazil": (1.4949, 0.6289, 1.1024, 1.3286, 1.1340, 0.6424, 0.5202, 0.8314, 1.3699),
    "foursquare-canada": (1.7224, 0.8310, 1.0879, 1.6594, 0.9719, 0.6610, 0.4134, 0.8087, 1.2328),
    "foursquare-italy": (1.4130, 0.8221, 0.9317, 1.3559, 1.3292, 0.7868, 0.4171, 0.8482, 1.2678),
}
_BIAS_TOLERANCE = 0.05


def table_1(quick: bool) -> list[Fact]:
    """Sizes of the training parts and B_T of the nine categories."""
    found = []
    for place in data(quick):
        part = training_part(place)
        ours = None if part is None else sizes(part[1])
        found += facts(TITLES[place], ours, dict(zip(_COLUMNS, _SIZES[place], strict=True)))
        toward = None if part is None else _biases(*part)
        found += [
            Fact(
                TITLES[place],
                top,
                "bias",
                None if toward is None else toward.get(top),
                printed,
                _BIAS_TOLERANCE,
            )
            for top, printed in zip(TOPS, _BIASES[place], strict=True)
        ]
    return found


def _biases(dataset: Dataset, train: Interactions) -> dict[str, float]:
    """Toward each category; items that are in the test part alone are not in the catalogue, as in the paper."""
    names, label = item_categories(dataset)
    times = np.bincount(train.item, minlength=train.items)
    toward = bias(times, np.where(times > 0, label, -1).astype(np.int32), len(names))
    return dict(zip(names, toward.tolist(), strict=True))
