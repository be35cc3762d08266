"""Peer sampling: which peers a node knows, and which of them it sends to. `peers=NAME` picks a sampler.

base           what a sampler is
uniform        any known peer that is online, each equally likely
personalized   PEPPER's views: the best senders so far, and random nodes
newscast       views of live nodes, exchanged so that they stay fresh
graphs         fixed overlay graphs

    from tacit.peer_sampling import Uniform
"""

from __future__ import annotations

from tacit.core.lazy import lazy_names

__getattr__, __all__ = lazy_names(
    __name__, {"tacit.peer_sampling.base": "Sampler", "tacit.peer_sampling.uniform": "Uniform"}
)


def __dir__() -> list[str]:
    return __all__
