"""Check a split: something is held out and something is left, by the seed alone."""

from __future__ import annotations

import numpy as np

from tacit.data.splits import Splitter, split_by
from tacit.testing.expect import expect, expect_part, kit, same_bits
from tacit.testing.protocol_kit import small_scenario


@kit
def check_split(splitter: Splitter) -> None:
    """Check a split on a small table, alone and for a validation part."""
    expect_part("split", splitter)
    name = type(splitter).__name__
    table = small_scenario().train
    before = table.item.copy()
    parts = split_by(splitter, name, table, 3, validation=True)
    expect(same_bits(table.item, before), f"split {name}: changes the data")
    sizes = [len(one) for one in (parts.train, parts.test, parts.validation) if one is not None]
    expect(sum(sizes) == len(table), f"split {name}: parts of {sizes} are not all of {len(table)}")
    expect(len(parts.train) > 0, f"split {name}: nothing is left to learn from beside a validation part")
    first, again = (np.asarray(splitter.held_out(table, 3)) for _ in range(2))
    expect(same_bits(first, again), f"split {name}: holds out something else the second time")
