"""Communication cost per epoch (CCE) of FPL, in item vectors: CCE = rho (w_s2c + w_c2s).

There are rho = |U-| rpe exchanges per epoch. In each the server sends w_s2c = M vectors. A client returns w_c2s =
T (1 + pi): the updates of T negative items and the disclosed part of T consumed ones.
"""

from __future__ import annotations


def cce(clients: float, rounds: float, items: int, triples: float, pi: float) -> float:
    """The papers' cost of one epoch, in item vectors.

    >>> cce(1, 599_958, 47_270, 1, 0.0)
    28360614618.0
    """
    return clients * rounds * (items + triples * (1 + pi))
