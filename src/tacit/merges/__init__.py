"""Merges: how a received model is combined with one's own. `merge=NAME` picks a file.

What decides how much of the received model is taken:

    row by row, by the two rows' ages (how often each was updated):
        age_average    in proportion to the age
        polynomial     in proportion to the age to the power of `merge.degree`
        exponential    in proportion to e to the age
        keep_oldest    all of the row with the higher age
    the whole model at once:
        none           nothing decides: the received model replaces one's own
        model_age      in proportion to the model's age (its clock)
        samples        in proportion to how much training data the sender has
        performance    in proportion to how well each model recommends to the receiver

base.py says what a merge is. row_merging.py applies a weight to all rows, to some, or to the dense part.

    from tacit.merges import AgeAverage
"""

from __future__ import annotations

from tacit.core.lazy import lazy_names

__getattr__, __all__ = lazy_names(
    __name__,
    {
        "tacit.merges.age_average": "AgeAverage",
        "tacit.merges.base": "Merge",
        "tacit.merges.exponential": "Exponential",
        "tacit.merges.keep_oldest": "KeepOldest",
        "tacit.merges.model_age": "ModelAge",
        "tacit.merges.none": "Replace",
        "tacit.merges.performance": "Performance",
        "tacit.merges.polynomial": "Polynomial",
        "tacit.merges.samples": "Samples",
    },
)


def __dir__() -> list[str]:
    return __all__
