"""Formatting of metrics, numbers, times and sizes, the same in tables, figures and sentences."""

from __future__ import annotations

import math
from collections.abc import Iterable
from textwrap import wrap

from tacit.metrics.higher_is_better import lower_is_better

MISSING = "\u2013"

# Family: (short name, in words). The order is that of interest: a report
# leads with the first family that was measured.
_FAMILIES: dict[str, tuple[str, str]] = {
    "rmse": ("RMSE", "rating error"),
    "accuracy": ("accuracy", "share classified rightly"),
    "ndcg": ("NDCG", "ranking quality"),
    "hr": ("HR", "hit rate"),
    "recall": ("recall", "share of liked items found"),
    "f1": ("F1", "balance of precision and recall"),
    "precision": ("precision", "share of recommendations liked"),
    "map": ("MAP", "mean average precision"),
    "mrr": ("MRR", "closeness of the first hit to the top"),
    "mae": ("MAE", "absolute rating error"),
    "item_coverage": ("coverage", "different items recommended to anyone"),
    "evenness": ("evenness", "evenness over items, 1 - Gini,"),
}
_INSTRUMENTS = {
    "part_": "mean size",
    "bias_mean:": "mean over nodes",
    "bias_spread:": "spread over nodes",
    "rounds_to_convergence": "rounds to convergence",
    "seconds_to_convergence": "seconds until convergence",
    "network_rounds": "rounds, network's mean",
    "aggregate:": "total variation",
    "apart:": "total variation from all alike",
}
"""What instruments and evaluations record beside metrics, by how its name begins."""
_FAVOURITE_CUTS = {"10": 0, "20": 1, "5": 2}


def _parts(metric: str) -> tuple[str, str, str]:
    """Family, cut and kind of list: `hr@20, per held-out item among 100` has all three."""
    name, _, kind = metric.partition(", ")
    family, _, cut = name.partition("@")
    return family, cut, kind


def short_name(metric: str) -> str:
    """The field's own name: `rmse` -> RMSE, `hr@20` -> HR@20; a percentile and the kind of list stay behind it."""
    for prefix, name in _INSTRUMENTS.items():
        if metric.startswith(prefix):
            percentile = metric.partition(" ")[2]
            return f"{name}, {percentile}" if percentile.startswith("p") else name
    family, cut, kind = _parts(metric)
    name = _FAMILIES.get(family, (family, ""))[0]
    return (f"{name}@{cut}" if cut else name) + (f", {kind}" if kind else "")


def column_title(metric: str, width: int = 12) -> str:
    """A short name that fits a narrow column, the kind of list on lines of its own.

    >>> column_title("hr@20, per held-out item among 100").splitlines()
    ['HR@20', 'per held-out', 'item among', '100']
    """
    name, _, kind = short_name(metric).partition(", ")
    return "\n".join([name, *wrap(kind, width)])


def in_words(metric: str) -> str:
    """Words for a reader who does not know the metric, with the kind of list where it is known.

    >>> in_words("hr@20")
    'hit rate in the top 20 (HR@20)'
    >>> in_words("hr@20, per held-out item among 100")
    'hit rate in the top 20 (HR@20, per held-out item among 100)'
    """
    return f"{meaning(metric)} ({short_name(metric)})" if _parts(metric)[0] in _FAMILIES else metric


def meaning(metric: str) -> str:
    """What the metric is about, without its name: `hit rate in the top 20`."""
    family, cut, _ = _parts(metric)
    return _FAMILIES.get(family, ("", family))[1] + (f" in the top {cut}" if cut else "")


def by_interest(metrics: Iterable[str]) -> list[str]:
    """The metrics, those a reader asks for first in front: by family, then by cut-off."""
    return sorted(set(metrics), key=_interest)


def _interest(metric: str) -> tuple[int, int, str]:
    families = list(_FAMILIES)
    family, cut, _ = _parts(metric)
    place = families.index(family) if family in families else len(families)
    return place, int(cut) if cut.isdigit() else 0, metric


def headline(metrics: Iterable[str], count: int) -> list[str]:
    """At most `count` metrics to lead with, each of another family or kind of list, at the usual cut-off."""

    def key(metric: str) -> tuple[int, int, tuple[int, int, str]]:
        found = _interest(metric)
        return found[0], _FAVOURITE_CUTS.get(_parts(metric)[1], 9), found

    chosen: dict[tuple[str, str], str] = {}
    for metric in sorted(set(metrics), key=key):
        family, _, kind = _parts(metric)
        chosen.setdefault((family, kind), metric)
    return list(chosen.values())[:count]


def tail_share(metric: str) -> float:
    """The quantile at which the worst-off tenth of the users begins: 0.9 for errors, 0.1 for hits."""
    return 0.9 if lower_is_better(metric) else 0.1


def number(value: float | None, digits: int = 4) -> str:
    """A metric's value; a dash when there is none."""
    return MISSING if value is None or not math.isfinite(value) else f"{value:.{digits}f}"


def value_of(metric: str, value: float | None) -> str:
    """A metric's value as tables show it: what counts items is a whole number.

    >>> value_of("item_coverage@10", 1234.0), value_of("hr@10", 0.25)
    ('1,234', '0.2500')
    """
    return amount(value) if _parts(metric)[0] == "item_coverage" else number(value)


def amount(value: float | None) -> str:
    """A quantity with three figures that count: 0.0123, 1.23, 12.3, 1,234; whole numbers stay whole."""
    if value is None or not math.isfinite(value):
        return MISSING
    if value == int(value):
        return f"{value:,.0f}"
    digits = max(0, 2 - math.floor(math.log10(abs(value))))
    return f"{value:,.{min(digits, 6)}f}"


def compact(value: float | None) -> str:
    """A count that fits a narrow column: 950, 28.3k, 1.20M."""
    if value is None or not math.isfinite(value):
        return MISSING
    for size, unit in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= size:
            return amount(value / size) + unit
    return f"{value:.0f}"


def duration(seconds: float) -> str:
    """Time for people: 0.42 s, 12.3 s, 4 min 05 s, 2 h 10 min."""
    if seconds < 60:
        return f"{amount(seconds)} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest:02d} s"
    return f"{minutes // 60} h {minutes % 60:02d} min"


def brief(seconds: float) -> str:
    """Time that fits a narrow column: 0.42 s, 12.3 s, 4.1 min, 2.2 h.

    >>> brief(12.34), brief(245), brief(3599), brief(7800)
    ('12.3 s', '4.1 min', '60 min', '2.2 h')
    """
    if seconds < 60:
        return duration(seconds)
    minutes = seconds / 60
    if minutes < 60:
        return f"{minutes:.1f} min" if minutes < 9.95 else f"{minutes:.0f} min"
    return f"{minutes / 60:.1f} h"


def megabytes(count: float) -> str:
    """Bytes as a number of megabytes that fits a narrow column.

    >>> megabytes(1_234_567), megabytes(12_345), megabytes(1_234), megabytes(12), megabytes(0)
    ('1.23', '0.0123', '0.001', '<0.001', '0')
    """
    value = count / 1e6
    if 0 < value < 0.001:
        return "<0.001"
    return f"{value:.3f}" if 0 < value < 0.01 else amount(value)


def listing(names: Iterable[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    words = list(names)
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))
