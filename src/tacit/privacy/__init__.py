"""What a message passes on its way out: each shield is one small pure step, chained in order.

none                leaves everything as it is
disclosure          leaves out rows about own items, with probability 1 - pi
subsample           leaves out rows by chance, rows about own items last
row_limit           the same, by a number of rows that fit into a message
known               leaves out rows that nobody ever updated
sparse              leaves out rows of zeros
secure_aggregation  masks that cancel in a sum, for a start from data

    from tacit.privacy import Disclosure
"""

from __future__ import annotations

from tacit.core.lazy import lazy_names

__getattr__, __all__ = lazy_names(
    __name__,
    {
        "tacit.privacy.disclosure": "Disclosure",
        "tacit.privacy.known": "Known",
        "tacit.privacy.none": "Nothing",
        "tacit.privacy.sparse": "Sparse",
        "tacit.privacy.subsample": "Subsample",
    },
)


def __dir__() -> list[str]:
    return __all__
