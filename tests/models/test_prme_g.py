import math

import numpy as np
import pytest

from tacit.core.errors import BadInput
from tacit.core.node_state import NodeArrays, Ratings
from tacit.data.sequences import Sequences
from tacit.models.prme_g import MetricEmbedding as Prme
from tacit.models.prme_g import score
from tacit.models.prme_g_learning import Hyper, _observe, distance, draw_unobserved, learn, pairs_of, weight
from tacit.testing import check_model

HOUR = 3600


def visits(item: list[int], time: list[int], users: int = 1, places: int = 12) -> Sequences:
    """Everybody goes to the same places at the same times; places lie on a line, a tenth of a degree apart."""
    start = np.arange(users + 1) * len(item)
    return Sequences(
        start,
        np.array(item * users, np.int32),
        np.array(time * users),
        40 + np.arange(places) / 10,
        np.full(places, -74.0),
    )


@pytest.mark.parametrize("user_vectors", ["private", "travel"])
def test_the_kit(user_vectors: str) -> None:
    walk = visits([*range(12)], [2 * HOUR * n for n in range(12)], users=8)
    check_model(
        Prme(k=3, lr=0.05, lam=0.0, negatives=3, user_vectors=user_vectors, sequences=walk), ratings=False
    )


def hyper(**more: float) -> Hyper:
    return Prme(k=2, sequences=visits([0], [0]), **more).hyper()  # type: ignore[arg-type]


def test_the_weight_grows_with_the_distance_in_kilometres() -> None:
    # A tenth of a degree of latitude is 6371 * pi / 1800 = 11.119 km.
    assert weight(hyper(), 3, 3) == pytest.approx(1)
    assert weight(hyper(), 0, 1) == pytest.approx((1 + 11.1195) ** 0.25, rel=1e-5)
    assert weight(hyper(), 0, 99) == 1


def test_where_coordinates_are_missing_nothing_is_weighed() -> None:
    walk = visits([0], [0])
    walk.lat[4] = np.nan
    assert weight(Prme(k=2, sequences=walk).hyper(), 0, 4) == 1


ROWS = np.array([[0.0, 1.0, 2.0, 0.0], [1.0, 1.0, 0.0, 0.0], [3.0, -1.0, 1.0, 1.0]])
PERSON = np.array([1.0, 0.0])


def test_distances_by_hand() -> None:
    # |P_u - P_0|^2 = 1 + 1; |S_1 - S_0|^2 = 4
    assert distance(ROWS, PERSON, -1, 0, hyper()) == pytest.approx(2)
    w = (1 + 11.1195) ** 0.25
    assert distance(ROWS, PERSON, 1, 0, hyper(a=0.2)) == pytest.approx(w * (0.2 * 2 + 0.8 * 4), rel=1e-5)


@pytest.mark.parametrize("s", [-1, 0, 1, 2, 5])
def test_a_step_is_the_gradient_of_the_papers_objective(s: int) -> None:
    """By finite differences in double precision; with the place before the same one as the next or the other, too."""
    i, j, lam, lr = 1, 2, 0.03, 1e-4
    rng = np.random.default_rng(3)
    rows, person = rng.normal(size=(6, 4)), rng.normal(size=2)
    numbers = hyper(lam=lam, lr=lr)

    def plain(theta: np.ndarray) -> float:
        r, p = theta[:-2].reshape(6, 4), theta[-2:]

        def d(place: int) -> float:
            liking = float(((p - r[place, :2]) ** 2).sum())
            if s < 0:
                return liking
            km = 6371 * math.pi / 1800 * abs(s - place)
            return (1 + km) ** 0.25 * (0.2 * liking + 0.8 * float(((r[s, 2:] - r[place, 2:]) ** 2).sum()))

        return -math.log(1 + math.exp(-(d(j) - d(i))))

    theta = np.concatenate([rows.ravel(), person])
    steps = np.eye(len(theta)) * 1e-6
    slope = np.array([(plain(theta + e) - plain(theta - e)) / 2e-6 for e in steps])
    touched = np.zeros((6, 4))
    touched[[i, j], :2] = 1
    if s >= 0:
        for place in (s, i, j):
            touched[place, 2:] += 1  # a place in two of these parts is regularized twice
    slope -= 2 * lam * theta * np.concatenate([touched.ravel(), np.ones(2)])
    _observe(rows, person, None, s, i, j, numbers)
    moved = np.concatenate([rows.ravel(), person]) - theta
    assert moved == pytest.approx(lr * slope, rel=1e-3, abs=1e-9)


def one_pass(
    item: list[int], time: list[int], known: list[int], values: list[float], tau: float = 6
) -> tuple[np.ndarray, np.ndarray]:
    model = Prme(k=2, tau=tau, lr=0.1, sequences=visits(item, time))
    rows, private, ages = np.tile(ROWS, (4, 1)), np.array([1.0, 0.0, -1.0]), np.zeros(12, np.int32)
    learn(
        NodeArrays(rows, ages, np.zeros(0), private, None),
        Ratings(np.array(known, np.int32), np.array(values, np.float32)),
        (0, 0, 0),
        model.hyper(),
    )
    return rows, private


def test_the_person_is_at_the_last_place_they_learned_from() -> None:
    rows, private = one_pass([3, 5, 7], [0, HOUR, 2 * HOUR], [3, 5, 7], [1, 1, np.nan])
    assert private[2] == 5
    model = Prme(k=2, sequences=visits([0], [0]))
    expected = -distance(rows, private[:2], 5, 8, model.hyper())
    assert score(rows, np.zeros(0), private, 8, model.hyper()) == expected


def test_the_place_before_matters_within_tau_only() -> None:
    start = np.tile(ROWS, (4, 1))
    near, _ = one_pass([3, 5], [0, 6 * HOUR], [3, 5], [1, 1])
    far, _ = one_pass([3, 5], [0, 6 * HOUR + 1], [3, 5], [1, 1])
    assert (near[3, 2:] != start[3, 2:]).any()
    assert (far[:, 2:] == start[:, 2:]).all()


def test_a_held_out_visit_is_as_if_it_had_not_happened() -> None:
    with_it, _ = one_pass([3, 4, 5], [0, HOUR, 2 * HOUR], [3, 5], [1, 1])
    without, _ = one_pass([3, 5], [0, 2 * HOUR], [3, 5], [1, 1])
    assert with_it.tobytes() == without.tobytes()


def test_without_visits_it_is_refused() -> None:
    with pytest.raises(BadInput, match="prme-g without visits"):
        Prme()


def drawn(s: int, own: Ratings, sequence: Sequences, places: int) -> set[int]:
    """All places that are ever drawn as l_j from l_s."""
    numbers = Prme(k=1, sequences=sequence).hyper()
    pairs = pairs_of(0, own, places, numbers)
    return {draw_unobserved((0, 0, event), 0, s, own, pairs, places)[0] for event in range(300)}


def known(*places: int, held: int = -1) -> Ratings:
    values = [np.nan if place == held else 1 for place in places]
    return Ratings(np.array(places, np.int32), np.array(values, np.float32))


def test_negatives_are_what_is_not_observed_for_the_person_and_the_place_before() -> None:
    """0, 1, 0, 2 within hours, then 3 a day later: 1 and 2 followed 0, 0 followed 1, nothing followed 2."""
    walk = visits([0, 1, 0, 2, 3], [0, HOUR, 2 * HOUR, 3 * HOUR, 30 * HOUR], places=6)
    own = known(0, 1, 2, 3)
    assert drawn(0, own, walk, 6) == {0, 3, 4, 5}
    assert drawn(1, own, walk, 6) == {1, 2, 3, 4, 5}
    assert drawn(2, own, walk, 6) == {0, 1, 2, 3, 4, 5}
    assert drawn(-1, own, walk, 6) == {4, 5}


def test_what_must_not_be_learned_from_is_no_negative_and_no_place_before() -> None:
    walk = visits([0, 1, 2], [0, HOUR, 2 * HOUR], places=5)
    own = known(0, 1, 2, held=1)
    assert drawn(0, own, walk, 5) == {0, 3, 4}  # 2 follows 0 now; 1 is known
    assert drawn(-1, known(0, 1, 2, 3, 4), walk, 5) == {-1}


def test_one_negative_per_visit_by_hand() -> None:
    """0 -> 1, and 2 is held out: from 0 only 0 itself is not observed; the first visit finds no negative."""
    model = Prme(k=1, a=0.5, lr=0.1, lam=0.0, sequences=visits([0, 1], [0, HOUR], places=0))
    rows, private, ages = (
        np.array([[0.0, 0.0], [1.0, 2.0], [5.0, 5.0]]),
        np.array([0.0, -1.0]),
        np.zeros(3, np.int32),
    )
    learn(
        NodeArrays(rows, ages, np.zeros(0), private, None), known(0, 1, 2, held=2), (0, 0, 0), model.hyper()
    )
    # D(u, 0, 1) = (1 + 4) / 2 and D(u, 0, 0) = 0, so z = -2.5 and 1 - sigma(z) = 0.924142.
    g = 0.924142
    assert private == pytest.approx([0.1 * g, 1])
    assert rows[1] == pytest.approx([1 - 0.1 * g, 2 - 0.2 * g])
    assert rows[0] == pytest.approx([0, 0.2 * g])
    assert rows[2].tolist() == [5, 5]
    assert ages.tolist() == [2, 1, 0]


def test_the_other_rule_never_draws_a_place_the_person_knows() -> None:
    walk = visits([0, 1, 0, 2], [0, HOUR, 2 * HOUR, 3 * HOUR], places=6)
    touched = {}
    for rule in ("pair", "person"):
        model = Prme(k=1, negatives=60, unobserved=rule, sequences=walk)  # type: ignore[arg-type]
        ages = np.zeros(6, np.int32)
        learn(
            NodeArrays(np.ones((6, 2)), ages, np.zeros(0), np.array([0.0, -1.0]), None), known(0, 1, 2), (0, 0, 0),
            model.hyper(),
        )  # fmt: skip
        touched[rule] = ages.tolist()
    assert touched["person"][:3] == [2, 1, 1]  # visits alone
    assert all(more > visited for more, visited in zip(touched["pair"][:3], [2, 1, 1], strict=True))
