from __future__ import annotations

import pytest

import tacit.api
from tacit.core.errors import TooBig
from tacit.experiment import memory_estimate
from tacit.report import forecast
from tacit.report.forecast import forecast_line
from tests.experiment.running import SMALL, small


def test_the_line_has_data_memory_and_a_rough_time(monkeypatch: pytest.MonkeyPatch) -> None:
    x = small()
    monkeypatch.setattr(memory_estimate, "available", lambda: 10 * 10**9)
    begin = "synthetic: 40 users, 60 items, 900 interactions; memory: about 0.31 GB, of 10 GB free"
    assert forecast_line(x, 1) == f"{begin}; time: less than a second of learning, a rough guess"
    assert forecast_line(x, 1, resume=True) == begin
    monkeypatch.setattr(forecast, "rough_seconds", lambda *given: 1234.5)
    assert forecast_line(x, 1).endswith("; time: about 17 min of learning, a rough guess")
    monkeypatch.setattr(forecast, "rough_seconds", lambda *given: None)
    assert forecast_line(x, 1).endswith("; time: not known before it learns")


def test_a_run_says_so_before_anything_is_compiled_or_filled(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class BegunError(Exception):
        pass

    def begin(*given: object, **words: object) -> None:
        raise BegunError

    monkeypatch.setattr(tacit.api, "Run", begin)
    with pytest.raises(BegunError):
        tacit.run("hegedus/gossip-merge", "synthetic", settings=SMALL)
    said = capsys.readouterr().err
    assert "memory: about" in said
    assert "time: less than a second of learning, a rough guess" in said
    monkeypatch.setattr(memory_estimate, "available", lambda: 10 * 2**20)
    with pytest.raises(TooBig):
        tacit.run("hegedus/gossip-merge", "synthetic", settings=SMALL)
