import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.peer_sampling.personalized import choose_view, hear, remember, renew_view


def noted(*pairs: tuple[int, float], room: int = 4, best: bool = False) -> tuple[np.ndarray, np.ndarray]:
    peers, scores = np.full(room, -1, np.int32), np.zeros(room, np.float32)
    for peer, score in pairs:
        remember(peers, scores, peer, score, best)
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


def test_or_the_best_one() -> None:
    peers, scores = noted((7, 0.5), (3, 0.2), (7, 0.1), (3, 0.3), best=True)
    assert dict(zip(peers.tolist(), scores.tolist(), strict=True)) == pytest.approx({7: 0.5, 3: 0.3, -1: 0})


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


def room(messages: int, size: int) -> np.ndarray:
    return np.full(messages * (1 + size), -1, np.int32)


def peers(*numbers: int) -> np.ndarray:
    return np.array(numbers, np.int32)


def test_senders_and_their_views_are_kept_and_the_oldest_message_makes_room() -> None:
    heard = room(2, 2)
    hear(heard, 0, 0, 7, peers(3, 9))
    assert heard.tolist() == [7, 3, 9, -1, -1, -1]
    hear(heard, 1, 0, 4, peers(0, 5))  # nobody is a stranger to themselves
    assert heard.tolist() == [7, 3, 9, 4, -1, 5]
    hear(heard, 2, 0, 8, peers(1, 2))
    assert heard.tolist() == [8, 1, 2, 4, -1, 5]


def test_strangers_come_from_peers_views() -> None:
    heard = room(2, 2)
    hear(heard, 0, 0, 7, peers(3, 9))
    seen = set()
    for event in range(200):
        found = peers(11, 12)
        renew_view((5, 0, event), 20, 1.0, *noted((15, 0.9)), heard, found)
        seen |= set(found.tolist())
    assert seen == {3, 7, 9}


def test_the_best_senders_come_first_and_old_peers_fill_up() -> None:
    heard, found = room(2, 3), peers(11, 12, 13)
    hear(heard, 0, 0, 15, peers(0, 0, 0))
    renew_view((5, 0, 1), 20, 0.34, *noted((15, 0.9), (16, 0.8)), heard, found)
    # Two of three are the best; the only other one that was heard of is there already.
    assert found.tolist() == [15, 16, 11]


def test_the_first_view_is_random_over_everybody() -> None:
    found = peers(-1, -1, -1)
    renew_view((5, 0, 0), 20, 0.4, *noted(), room(3, 3), found)
    assert found.tolist() == view(*noted(), alpha=0.4)


@given(st.integers(2, 12), st.integers(1, 11), st.floats(0, 1), st.data())
def test_a_renewed_view_has_different_peers_and_never_oneself(
    nodes: int, size: int, alpha: float, data: st.DataObject
) -> None:
    size = min(size, nodes - 1)
    others = st.permutations(range(1, nodes)).map(lambda some: peers(*some[:size]))
    everybody = st.permutations(range(nodes)).map(lambda some: peers(*some[:size]))
    heard, found = room(size, size), data.draw(others)
    for message in range(data.draw(st.integers(0, 4))):
        hear(heard, message, 0, data.draw(st.integers(1, nodes - 1)), data.draw(everybody))
    renew_view((5, 0, 3), nodes, alpha, *noted((1, 0.5)), heard, found)
    assert len(set(found.tolist())) == size
    assert all(0 < peer < nodes for peer in found)
