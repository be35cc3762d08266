import pytest

from tacit.core.errors import BadInput
from tacit.experiment.run_settings import settle
from tacit.merges.age_average import AgeAverage
from tacit.merges.base import Merge
from tacit.merges.polynomial import Polynomial
from tacit.testing import check_merge

OLDEST = 2**31 - 1
DEFAULT = Polynomial(2.0)


def w(own: int, theirs: int, merge: Merge = DEFAULT) -> float:
    return float(merge.weight(own, theirs, merge.shape))


@pytest.mark.parametrize("degree", [0.5, 1.0, 2.0, 3.0, 40.0])
def test_kit(degree: float) -> None:
    check_merge(Polynomial(degree))


def test_by_hand() -> None:
    # Twice the age: 4 to 1, and 8 to 1; four times the age at degree 1/2: 2 to 1.
    assert w(3, 6) == pytest.approx(4 / 5)
    assert w(3, 6, Polynomial(3.0)) == pytest.approx(8 / 9)
    assert w(6, 3, Polynomial(3.0)) == pytest.approx(1 / 9)
    assert w(1, 4, Polynomial(0.5)) == pytest.approx(2 / 3)


def test_degree_one_is_the_age_average() -> None:
    for own, theirs in ((0, 1), (1, 0), (3, 5), (1000, 1), (7, 7)):
        assert w(own, theirs, Polynomial(1.0)) == pytest.approx(w(own, theirs, AgeAverage()))


def test_nothing_overflows() -> None:
    assert w(OLDEST, 1, Polynomial(100.0)) == 0
    assert w(1, OLDEST, Polynomial(100.0)) == 1
    assert w(OLDEST, OLDEST, Polynomial(100.0)) == 0.5


def test_degree_is_a_parameter_of_polynomial_alone() -> None:
    assert settle({"merge": "polynomial"}, {"merge.degree": "3"})["merge.degree"] == 3.0
    with pytest.raises(BadInput, match=r"merge\.degree"):
        settle({"merge": "exponential"}, {"merge.degree": "3"})
