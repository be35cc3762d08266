import numpy as np

from tacit.models.none import NoModel


def test_it_holds_nothing_and_says_nothing() -> None:
    model = NoModel()
    assert (model.row_width, model.dense_size, model.private_size) == (0, 0, 0)
    nothing = np.zeros((3, 0), np.float32)
    assert model.kernels.score(nothing, nothing[0], nothing[0], 1, model.hyper()) == 0
