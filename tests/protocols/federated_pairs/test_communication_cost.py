"""The papers' table for Foursquare Brazil: 599,958 training interactions of 17,473 users with 47,270 venues."""

import pytest

from tacit.protocols.federated_pairs.communication_cost import cce

POSITIVES, USERS, ITEMS = 599_958, 17_473, 47_270
SEQUENTIAL = {
    0.0: 28360614618,
    0.2: 28360734610,
    0.4: 28360854601,
    0.6: 28360974593,
    0.8: 28361094584,
    1.0: 28361214576,
}
MORE_LOCAL = {
    0.0: 28380614992,
    0.2: 28384735058,
    0.4: 28388855125,
    0.6: 28392975191,
    0.8: 28397095258,
    1.0: 28401215324,
}


@pytest.mark.parametrize("pi", SEQUENTIAL)
def test_the_brazil_table_comes_out_exactly(pi: float) -> None:
    mean = POSITIVES / USERS
    assert round(cce(1, POSITIVES, ITEMS, 1, pi)) == SEQUENTIAL[pi]
    assert round(cce(USERS, mean, ITEMS, 1, pi)) == SEQUENTIAL[pi]
    assert round(cce(1, POSITIVES, ITEMS, mean, pi)) == MORE_LOCAL[pi]
    assert round(cce(USERS, mean, ITEMS, mean, pi)) == MORE_LOCAL[pi]
