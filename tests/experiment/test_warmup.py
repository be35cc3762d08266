"""What a run needs is compiled by a miniature of it, and that is remembered."""

from __future__ import annotations

from pathlib import Path

import pytest

from tacit.core.compiled import compiling
from tacit.experiment.prepare import prepare
from tacit.experiment.recipes import recipe
from tacit.experiment.run_settings import settle
from tacit.experiment.warmup import code_of, is_compiled, warm_up


def test_names_and_switches_decide_which_code_a_run_needs() -> None:
    own = recipe("hegedus/gossip-merge").parameters
    code = code_of(settle(own, {}))
    assert code == code_of(settle(own, {"hours": 3, "model.eta": 0.5}))
    assert code != code_of(settle(own, {"merge": "keep-oldest"}))
    assert code != code_of(settle(own, {"lazy": True}))


def test_a_rehearsal_is_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "kernel_folder", lambda: tmp_path)
    small = {"data.users": 30, "data.items": 40, "data.interactions": 300, "data.min_user": 0}
    x = prepare("baseline/popular", "synthetic", small)
    assert not is_compiled(code_of(x.parameters))
    warm_up(x)
    assert is_compiled(code_of(x.parameters))
    monkeypatch.setattr(compiling, "kernel_folder", lambda: None)
    assert not is_compiled(code_of(x.parameters)), "where nothing can be kept"
    warm_up(x)
