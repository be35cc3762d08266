import numpy as np

from tacit.core.message import codec
from tacit.core.message.update import Draws, Update, release
from tacit.core.node_state import Field, NodeState, Visibility
from tacit.privacy.sparse import Sparse

FIELDS = (Field("rows", Visibility.SHARED, "sums"), Field("dense", Visibility.SHARED, "more sums"))


def released(rows: np.ndarray, ages: int = 0) -> Update:
    state = NodeState(rows, np.zeros(ages, np.int32), np.ones(2, rows.dtype), 0, np.ones(3))
    return release(FIELDS, state, np.zeros(0, np.int32), (Sparse(),), Draws(0, 0, 0))


def test_empty_rows_stay_at_home_where_that_is_smaller() -> None:
    rows = np.zeros((10, 3), np.float16)
    rows[[2, 7]] = 1.1
    update = released(rows)
    assert update.index is not None
    assert update.index.tolist() == [2, 7]
    assert update.rows.tolist() == [[np.float16(1.1)] * 3] * 2


def test_all_rows_travel_where_positions_would_cost_more() -> None:
    rows = np.full((10, 3), 1.1, np.float16)
    rows[4] = 0  # nine rows of 6 + 4 bytes are more than ten of 6
    assert released(rows).index is None


def test_the_bytes_are_never_more_than_without_it() -> None:
    rng = np.random.default_rng(0)
    for full in range(11):
        rows = np.zeros((10, 3), np.float16)
        rows[rng.choice(10, full, replace=False)] = 1.1
        whole = codec.encoded_size(10, 3, 2, sparse=False, itemsize=2, ages=False)
        assert len(codec.encode(released(rows))) <= whole
