"""Table 1 of PEPPER: users, items, records and sparsity (equation 3), as published and after its filter."""

from __future__ import annotations

from tacit.data.dataset import Dataset
from tacit.data.describe import sizes
from tacit.papers.base import Fact
from tacit.papers.data_tables import EXACT, facts, whole
from tacit.papers.pepper.runs import GOWALLA, ML, NYC, TITLES

_COLUMNS = ("users", "items", "records", "sparsity")
_PRINTED = {
    NYC: (1_083, 38_333, 227_428, 0.997),
    GOWALLA: (718, 32_924, 185_932, 0.986),
    ML: (943, 1_682, 100_000, 0.936),
}


def table_1(quick: bool) -> list[Fact]:
    """The paper's counts beside ours; then what its filter leaves, which it does not print."""
    found = []
    for data, printed in _PRINTED.items():
        found += facts(TITLES[data], _sizes(whole(data)), dict(zip(_COLUMNS, printed, strict=True)))
    for data in (NYC, GOWALLA):
        left = _sizes(whole(data, 10, 10))
        panel = f"{TITLES[data]}, places with 10 visitors, users with 10 check-ins"
        found += [
            Fact(panel, name, name, None if left is None else left[name], None, EXACT) for name in _COLUMNS
        ]
    return found


def _sizes(data: Dataset | None) -> dict[str, float] | None:
    return None if data is None else sizes(data.table, len(data.events))
