"""Table 1 of FedeRank: its data sets, users with 20 or more interactions."""

from __future__ import annotations

from tacit.data.describe import sizes
from tacit.papers.base import Fact
from tacit.papers.data_tables import facts, whole
from tacit.papers.pairwise_runs import TITLES

_COLUMNS = ("users", "items", "records", "per user", "per item", "density")
_PRINTED = {
    "amazon-digital-music": (1_835, 41_488, 75_932, 41.38, 1.83, 0.000997),
    "librarything": (7_279, 37_232, 749_401, 102.95, 20.13, 0.002765),
    "movielens-1m": (6_040, 3_706, 1_000_209, 165.60, 269.89, 0.044684),
}
"""The paper writes its density with a percent sign; the numbers are fractions."""


def table_1(quick: bool) -> list[Fact]:
    """The paper's counts beside ours."""
    found = []
    for data, printed in _PRINTED.items():
        loaded = whole(data, min_user=20)
        ours = None if loaded is None else sizes(loaded.table)
        found += facts(TITLES[data], ours, dict(zip(_COLUMNS, printed, strict=True)))
    return found
