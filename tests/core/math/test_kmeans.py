import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tacit.core.math.kmeans import kmeans


def test_well_separated_groups_are_found() -> None:
    rng = np.random.default_rng(0)
    points = np.concatenate([rng.normal(centre, 0.1, (20, 2)) for centre in (0.0, 10.0)])
    label = kmeans(points, 2, seed=1, stream=27)
    assert len(set(label[:20])) == 1
    assert len(set(label[20:])) == 1
    assert label[0] != label[20]


@given(st.integers(1, 12), st.integers(1, 20), st.integers(0, 99))
def test_every_point_has_a_cluster_and_the_same_again(clusters: int, count: int, seed: int) -> None:
    points = np.random.default_rng(seed).normal(size=(count, 3))
    label = kmeans(points, clusters, seed=seed, stream=27)
    assert ((label >= 0) & (label < min(clusters, count))).all()
    assert label.tolist() == kmeans(points, clusters, seed=seed, stream=27).tolist()
