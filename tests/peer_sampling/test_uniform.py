"""Any online peer, each equally likely."""

from __future__ import annotations

from tacit.peer_sampling.uniform import Uniform, pick
from tacit.testing import check_sampler


def test_holds_what_every_sampler_has_to_hold() -> None:
    check_sampler(Uniform())


def test_the_only_candidate_is_picked() -> None:
    assert {pick(0, node, event, 1) for node in range(5) for event in range(5)} == {0}
