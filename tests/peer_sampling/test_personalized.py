import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.peer_sampling.personalized import choose_view, remember


def noted(*pairs: tuple[int, float], room: int = 4) -> tuple[np.ndarray, np.ndarray]:
    peers, scores = np.full(room, -1, np.int32), np.zeros(room, np.float32)
    for peer, score in pairs:
        remember(peers, scores, peer, score)
    return peers, scores


def view(
    peers: np.ndarray,
    scores: np.ndarray,
    alpha: float,
    size: int = 3,
    node: int = 0,
    event: int = 0,
    nodes: int = 20,
) -> list[int]:
    found = np.zeros(size, np.int32)
    choose_view(5, node, event, nodes, alpha, peers, scores, found)
    return found.tolist()  # type: ignore[no-any-return]


def test_the_last_score_of_a_sender_counts() -> None:
    peers, scores = noted((7, 0.5), (3, 0.2), (7, 0.1))
    assert dict(zip(peers.tolist(), scores.tolist(), strict=True)) == pytest.approx({7: 0.1, 3: 0.2, -1: 0})


def test_a_full_list_forgets_its_worst_for_a_better_one_only() -> None:
    peers, _ = noted((1, 0.4), (2, 0.1), (3, 0.3), (4, 0.2), (5, 0.05), (6, 0.25))
    assert sorted(peers.tolist()) == [1, 3, 4, 6]


def test_pure_exploitation_sends_to_the_best_in_order() -> None:
    assert view(*noted((7, 0.1), (3, 0.9), (5, 0.5), (9, 0.4)), alpha=0.0) == [3, 5, 9]


def test_of_equals_the_one_noted_first_comes_first() -> None:
    assert view(*noted((7, 0.5), (3, 0.5), (5, 0.5), (9, 0.5)), alpha=0.0) == [7, 3, 5]


def test_who_knows_nobody_yet_sends_to_strangers() -> None:
    seen = {peer for event in range(200) for peer in view(*noted(), alpha=0.0, event=event)}
    assert seen == set(range(1, 20))


@pytest.mark.parametrize("alpha", [0.0, 0.2, 0.4, 0.6, 0.8, 1.0])
def test_alpha_is_the_share_of_exploration(alpha: float) -> None:
    best = {100, 101, 102, 103}
    notes = noted(*((peer, 0.9) for peer in best))
    chosen = [peer for event in range(2000) for peer in view(*notes, alpha=alpha, event=event, nodes=5000)]
    assert np.mean([peer in best for peer in chosen]) == pytest.approx(1 - alpha, abs=0.02)


@given(
    st.integers(2, 12), st.integers(1, 11), st.floats(0, 1), st.integers(0, 1000),
    st.lists(st.tuples(st.integers(1, 11), st.floats(0, 1)), max_size=8),
)  # fmt: skip
def test_a_view_has_different_peers_and_never_oneself(
    nodes: int, size: int, alpha: float, event: int, pairs: list[tuple[int, float]]
) -> None:
    size = min(size, nodes - 1)
    notes = noted(*((peer, score) for peer, score in pairs if peer < nodes))
    found = view(*notes, alpha=alpha, size=size, event=event, nodes=nodes)
    assert len(set(found)) == size
    assert all(0 < peer < nodes for peer in found)
