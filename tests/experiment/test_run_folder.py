"""What is in a run's folder is used again only where it is whole and of the same run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tacit.core.errors import BadInput, Interrupted
from tacit.experiment import run_folder
from tests.experiment.running import figures, run, small


def test_a_folder_of_another_run_is_not_resumed(tmp_path: Path) -> None:
    run(small(), out=tmp_path)
    with pytest.raises(BadInput, match="epochs: got 2; allowed: 1"):
        run(small(epochs=2), out=tmp_path, resume=True)
    with pytest.raises(BadInput, match="--resume: recipe"):
        run(small("hegedus/gossip"), out=tmp_path, resume=True)
    with pytest.raises(BadInput, match="no state"):
        run(small(), out=tmp_path / "nothing", resume=True)
    assert not (tmp_path / "nothing").exists()
    with pytest.raises(BadInput, match="--out DIR"):
        run(small(), resume=True)


def test_a_state_saved_before_a_parameter_existed_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, calls, read = run(small()), iter(range(1000)), run_folder.read_facts

    def older(folder: Path) -> dict[str, Any]:
        facts = read(folder)
        facts["parameters"] = {k: v for k, v in facts["parameters"].items() if k not in ("peers", "shield")}
        return facts

    with pytest.raises(Interrupted):
        run(small(), out=tmp_path, stop=lambda: next(calls) == 2)
    monkeypatch.setattr(run_folder, "read_facts", older)
    with pytest.raises(BadInput, match="--resume: shield: got known; allowed: none"):
        run(small(shield="known"), out=tmp_path, resume=True)
    assert figures(run(small(), out=tmp_path, resume=True)) == figures(whole)


@pytest.mark.parametrize("damage", ["cut", "flipped", "text"])
def test_a_damaged_state_is_refused_and_left_alone(damage: str, tmp_path: Path) -> None:
    run(small(), out=tmp_path)
    state = tmp_path / "state.npz"
    whole = state.read_bytes()
    middle = len(whole) // 3
    broken = {
        "cut": whole[:middle],
        "flipped": whole[:middle] + bytes([whole[middle] ^ 255]) + whole[middle + 1 :],
        "text": b"not a state",
    }[damage]
    state.write_bytes(broken)
    with pytest.raises(BadInput, match="damaged"):
        run(small(), out=tmp_path, resume=True)
    assert state.read_bytes() == broken


def test_a_folder_that_cannot_be_written_is_refused_before_learning(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(BadInput, match="a folder that can be written"):
        run(small(), out=tmp_path / "file")
