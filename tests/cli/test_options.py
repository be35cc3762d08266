from __future__ import annotations

import json
import os
from typing import Any

import pytest

from tacit.cli.main import call
from tacit.cli.options import parse_seeds
from tacit.core.errors import BadInput

TINY = ["--data", "synthetic", "--json"]
for setting in ("data.users=40", "data.items=60", "data.interactions=900", "rounds=3", "split.n=3"):
    TINY += ["--set", setting]
COMMANDS = {
    "run": ["run", "hegedus/gossip-merge", *TINY],
    "compare": ["compare", "hegedus/gossip-merge", "baseline/central-mf", *TINY],
    "sweep": ["sweep", "hegedus/federated", "--vary", "model.eta=0.01,0.03", *TINY],
    "audit": ["audit", "hegedus/gossip-merge", *TINY],
}


def test_seeds_are_a_number_or_a_list() -> None:
    assert parse_seeds("3") == 3
    assert parse_seeds("7,3, 11") == [7, 3, 11]
    assert parse_seeds("7,8") == [7, 8]
    for wrong in ("", "x", "1,,2", "1.5"):
        with pytest.raises(BadInput, match=r"several seeds such as 3,7,11"):
            parse_seeds(wrong)


def without_costs(value: Any) -> Any:
    """Everything but times and memory."""
    if isinstance(value, dict):
        return {key: without_costs(part) for key, part in value.items() if key != "cost"}
    return [without_costs(part) for part in value] if isinstance(value, list) else value


@pytest.mark.parametrize("command", COMMANDS)
def test_figures_do_not_depend_on_threads(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "POLARS_MAX_THREADS"):
        monkeypatch.setenv(name, "2")  # so that what the option sets is undone
    told = []
    for threads in ("1", "3"):
        assert call([*COMMANDS[command], "--threads", threads]) == 0
        assert os.environ["OPENBLAS_NUM_THREADS"] == threads
        told.append(without_costs(json.loads(capsys.readouterr().out)))
    assert told[0] == told[1]


@pytest.mark.parametrize("threads", ["0", "-1", "many"])
def test_a_wrong_number_of_threads(threads: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert call([*COMMANDS["run"], "--threads", threads]) == 2
    assert "--threads" in capsys.readouterr().err
