import numpy as np
import pytest

from tacit.protocols.push_sum.mask_partners import pair_up


@pytest.mark.parametrize("nodes", [1, 2, 7, 40])
def test_pairs_are_mutual_and_share_a_secret_nobody_else_has(nodes: int) -> None:
    partner, secret = pair_up(nodes, 3, 5)
    secrets = set()
    for u in range(nodes):
        for c in range(3):
            v = partner[u, c]
            if v < 0:
                continue
            assert v != u
            assert partner[v, c] == u
            assert secret[v, c] == secret[u, c]
            secrets.add((min(u, int(v)), max(u, int(v)), c, int(secret[u, c])))
    assert len({s[3] for s in secrets}) == len(secrets)
    assert ((partner < 0).sum(axis=0) == nodes % 2).all()


def test_another_seed_other_partners() -> None:
    assert not np.array_equal(pair_up(20, 2, 0)[0], pair_up(20, 2, 1)[0])
