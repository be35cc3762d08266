"""Places are found as a dict would find them, whatever came, stayed and went."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.node.catalogue.row_index import NOWHERE, RowIndex

NAMES = st.lists(st.integers(0, 2**64 - 1), unique=True, max_size=40)


def hashes(names: list[int]) -> np.ndarray:
    return np.array(names, np.uint64)


@given(
    first=NAMES, second=NAMES, third=NAMES, out=st.lists(st.integers(0, 79), unique=True), saved=st.booleans()
)
def test_every_row_has_the_place_it_was_given(
    first: list[int], second: list[int], third: list[int], out: list[int], saved: bool
) -> None:
    places, known = RowIndex(cap=1000), dict[int, int]()
    for names in (first, second):
        fresh = [name for name in names if name not in known]
        known |= {name: len(known) + n for n, name in enumerate(fresh)}
        places.append(hashes(fresh), now=1)
    if saved:
        again = RowIndex(cap=1000)
        again.restore(places.names, places.heard)
        places = again
    late = [name for name in third if name not in known]
    free = [place for place in out if place < len(known)][: len(late)]
    by_place = {place: name for name, place in known.items()}
    for place, name in zip(free, late, strict=False):
        del known[by_place[place]]
        known[name] = place
    places.replace(np.array(free, np.int32), hashes(late[: len(free)]), now=2)
    asked = sorted({*first, *second, *third, 0, 2**64 - 1}, key=lambda name: name % 97)
    found = places.find(hashes(asked))
    assert found.dtype == np.int32
    assert found.tolist() == [known.get(name, NOWHERE) for name in asked]
    assert {int(name): place for place, name in enumerate(places.names)} == known


def test_a_saved_model_in_which_a_row_has_two_places_is_damaged() -> None:
    with pytest.raises(ValueError, match="two positions"):
        RowIndex(cap=10).restore(hashes([5, 7, 5]), np.zeros(3, np.int64))
