"""The merges of Dymbe 2021, by hand."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.core.errors import BadInput
from tacit.experiment.parameters import settle
from tacit.merges.age_average import AgeAverage
from tacit.merges.exponential import Exponential
from tacit.merges.keep_oldest import KeepOldest
from tacit.merges.polynomial import Polynomial

MERGES = [KeepOldest(), Polynomial(2.0), Polynomial(3.0), Exponential()]
OLDEST = 2**31 - 1


def w(merge, own, theirs):
    return float(merge.weight(own, theirs, merge.shape))


def test_keep_oldest_takes_only_what_is_older():
    assert [w(KeepOldest(), 2, theirs) for theirs in (0, 1, 2, 3)] == [0, 0, 0, 1]


def test_polynomial_by_hand():
    # Twice the age: 4 to 1, and 8 to 1.
    assert w(Polynomial(2.0), 3, 6) == pytest.approx(4 / 5)
    assert w(Polynomial(3.0), 3, 6) == pytest.approx(8 / 9)
    assert w(Polynomial(3.0), 6, 3) == pytest.approx(1 / 9)


def test_degree_one_is_the_age_average():
    for own, theirs in ((0, 1), (1, 0), (3, 5), (1000, 1), (7, 7)):
        assert w(Polynomial(1.0), own, theirs) == pytest.approx(w(AgeAverage(), own, theirs))


def test_exponential_by_hand():
    assert w(Exponential(), 5, 5) == 0.5
    assert w(Exponential(), 5, 7) == pytest.approx(math.e**2 / (1 + math.e**2))
    # A row never updated here still counts e^0: the formula of the thesis, taken at its word.
    assert w(Exponential(), 0, 1) == pytest.approx(math.e / (1 + math.e))


@pytest.mark.parametrize("merge", MERGES, ids=lambda m: f"{m.name}-{m.shape:g}")
def test_extreme_ages_give_a_weight(merge):
    assert w(merge, 0, OLDEST) == 1
    assert w(merge, OLDEST, 0) == 0
    assert w(merge, OLDEST, 1) == pytest.approx(0, abs=1e-12)
    assert w(merge, OLDEST, OLDEST) == (0 if merge.name == "keep-oldest" else 0.5)


@pytest.mark.parametrize("merge", MERGES, ids=lambda m: f"{m.name}-{m.shape:g}")
@settings(deadline=None)
@given(own=st.integers(0, OLDEST), theirs=st.integers(0, OLDEST))
def test_weights_are_shares_and_what_was_never_updated_never_dilutes(merge, own, theirs):
    weight = w(merge, own, theirs)
    assert 0 <= weight <= 1
    if theirs == 0:
        assert weight == 0
    elif theirs > own:
        assert weight >= 0.5
    else:
        assert weight <= 0.5


def test_degree_is_a_parameter_of_polynomial_alone():
    assert settle({"merge": "polynomial"}, {"merge.degree": "3"})["merge.degree"] == 3.0
    with pytest.raises(BadInput, match=r"merge\.degree"):
        settle({"merge": "exponential"}, {"merge.degree": "3"})
