from __future__ import annotations

from dataclasses import replace

import pytest

from tacit.core.errors import TooBig
from tacit.experiment import memory_estimate
from tacit.protocols.centralized.protocol import Centralized
from tests.experiment.running import small


def test_a_run_that_cannot_fit_is_refused_with_the_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_estimate, "available", lambda: 10 * 2**20)
    with pytest.raises(TooBig, match=r"needs about .* GB; there are 0.01 GB; try fewer users .* subsample"):
        small()
    with pytest.raises(TooBig, match="storage=float32"):
        small(storage="float64")


def test_the_estimate_covers_states_and_messages() -> None:
    """40 nodes x 60 items x (4 + 4 x 6) bytes, twice; ratings and program on top."""
    x = small()
    states = 2 * 40 * 60 * 28
    fixed = memory_estimate.estimate(replace(x, protocol=Centralized())) - 60 * 28
    assert x.memory - fixed == states
