from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tacit.core.errors import TooBig
from tacit.experiment import memory_estimate
from tacit.protocols.centralized.protocol import Centralized
from tests.experiment.running import small


def test_a_run_that_cannot_fit_is_refused_with_the_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    single = small().memory
    monkeypatch.setattr(memory_estimate, "available", lambda: 10 * 2**20)
    with pytest.raises(TooBig, match=r"needs about .* GB; there are 0.01 GB; try fewer users .* subsample"):
        small()
    monkeypatch.setattr(memory_estimate, "available", lambda: single)
    with pytest.raises(TooBig, match="storage=float32"):
        small(storage="float64")


def test_the_estimate_covers_states_and_messages() -> None:
    """40 nodes x 60 items x (4 + 4 x 6) bytes, 1.4 versions each; ratings and program on top."""
    x = small()
    states = int(1.4 * 40 * 60 * 28)
    fixed = memory_estimate.estimate(replace(x, protocol=Centralized())) - 60 * 28
    assert x.memory - fixed == states


def test_before_a_run_starts_it_says_what_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    x = small()
    monkeypatch.setattr(memory_estimate, "available", lambda: 10 * 10**9)
    assert memory_estimate.forecast(x) == "memory: about 0.31 GB, of 10 GB free"
    monkeypatch.setattr(memory_estimate, "available", lambda: x.memory)
    assert "to take less: fewer users" in memory_estimate.forecast(x)
    assert "mpirun -n 2 tacit run ... --engine mpi" in memory_estimate.forecast(x)


def test_a_refusal_says_how_much_would_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Room for the program, the data and a quarter of the 40 nodes, then three quarters of them."""
    x = small()
    everywhere = x.memory - x.protocol.memory(x.model, x.split.train, 4)
    quarter = (x.memory - everywhere) // 4 + 100
    monkeypatch.setattr(memory_estimate, "available", lambda: everywhere + quarter)
    with pytest.raises(TooBig) as refused:
        memory_estimate.check(x)
    told = str(refused.value)
    assert "about 10 of 40 fit: --set data.users=N" in told
    assert "storage" not in told, "half of it would not fit either"
    assert "4 machines like this one (mpirun -n 4 tacit run ... --engine mpi)" in told
    monkeypatch.setattr(memory_estimate, "available", lambda: everywhere + 3 * quarter)
    takes = memory_estimate.gigabytes(memory_estimate.estimate(x, "float16"))
    with pytest.raises(TooBig) as refused:
        memory_estimate.check(x)
    assert f"numbers of 16 bits, about {takes} (--set storage=float16)" in str(refused.value)


def test_no_engine_is_named_where_program_and_data_alone_do_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    x = small()
    monkeypatch.setattr(memory_estimate, "available", lambda: 10 * 2**20)
    with pytest.raises(TooBig) as refused:
        memory_estimate.check(x)
    assert "mpi" not in str(refused.value)


def test_each_rank_takes_the_program_the_data_and_its_share_of_the_nodes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """40 nodes x 60 items x 28 bytes, 1.4 versions each: two ranks take half of it each."""
    x = small()
    saved = x.memory - memory_estimate.per_rank(x, 2)
    assert saved >= 0.7 * 40 * 60 * 28
    monkeypatch.setattr(memory_estimate, "available", lambda: x.memory)
    memory_estimate.check(x, ranks=2)
    with pytest.raises(TooBig, match="for each rank on this machine"):
        memory_estimate.check(x, ranks=2, beside=2)


def test_numbers_of_16_bits_take_half_of_that() -> None:
    whole, half = small(), small(storage="float16")
    assert half.protocol.memory(half.model, half.split.train, 2) == int(1.4 * 40 * 60 * 14)
    assert half.memory < whole.memory


def test_in_16_bits_private_parts_and_what_adam_remembers_still_take_32() -> None:
    def beside_states(storage: str) -> int:
        x = small(storage=storage, **{"model.optimizer": "adam"})
        return x.memory - x.protocol.memory(x.model, x.split.train, np.dtype(storage).itemsize)

    assert beside_states("float16") == beside_states("float32")
